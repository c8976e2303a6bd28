#include "server/daemon/spool_room.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <string>

#include "server/config/environment.h"

namespace server {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t part_of_disk = 20;

bool are_on_one_disk(const fs::path& a, const fs::path& b) {
  struct ::stat of_a {
  }, of_b{};
  if (::stat(a.c_str(), &of_a) != 0 || ::stat(b.c_str(), &of_b) != 0) return true;
  return of_a.st_dev == of_b.st_dev;
}

}  // namespace

fs::path worker_spool_folder() {
  const std::string folder = process_environment("TMPDIR");
  return folder.empty() ? "/var/tmp" : folder;
}

std::int64_t spool_min_free(std::int64_t min_free, const fs::path& state_folder,
                            const fs::path& spool_folder) {
  if (are_on_one_disk(state_folder, spool_folder)) return min_free;
  struct ::statvfs disk {};
  if (::statvfs(spool_folder.c_str(), &disk) != 0) return min_free;
  return std::min(min_free,
                  static_cast<std::int64_t>(disk.f_blocks * disk.f_frsize) / part_of_disk);
}

}  // namespace server
