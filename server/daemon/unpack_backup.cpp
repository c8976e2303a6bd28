#include "server/daemon/unpack_backup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "platform/unique_fd.h"
#include "server/base/file_error.h"
#include "server/daemon/backup_reader.h"
#include "server/daemon/backup_tar.h"
#include "server/inputs/own_folder.h"
#include "server/jobs_sqlite/check_database.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t copy_bytes = 256 * 1024;

// What a backup of scribed holds: nothing whose name could lead elsewhere.
bool is_backup_name(const std::string& name) {
  if (name == "jobs.sqlite") return true;
  for (const std::string folder : {"inputs/", "uploads/"}) {
    if (name.starts_with(folder)) return is_own_name(name.substr(folder.size()));
  }
  return false;
}

class Unpacking {
 public:
  Unpacking(platform::UniqueFd backup, fs::path folder)
      : backup_(std::move(backup)), folder_(std::move(folder)) {}

  Result<void> run() {
    bool has_jobs = false, is_ours = false;
    while (true) {
      auto entry = parse_tar_head(read(tar_block_bytes));
      if (!entry) return entry.error();
      if (!*entry) break;
      const TarEntry& file = **entry;
      const bool is_version = file.name == backup_version_name;
      if (is_version) {
        is_ours = read(static_cast<std::size_t>(std::min<std::uint64_t>(file.bytes, 100))) ==
                  backup_version;
        if (!is_ours) return damaged_backup("This backup is of another version of scribed.");
      } else if (!is_ours || !is_backup_name(file.name)) {
        return damaged_backup("The file holds what is not of a backup of scribed.");
      } else if (auto written = write(file); !written) {
        return written;
      }
      has_jobs |= file.name == "jobs.sqlite";
      read(tar_padding(file.bytes));
    }
    if (!has_jobs) return damaged_backup("The backup holds no jobs.");
    return {};
  }

 private:
  // Returns as many bytes, or fewer where the file ends.
  std::string read(std::size_t bytes) {
    std::string text(bytes, '\0');
    std::size_t have = 0;
    while (have < bytes) {
      const ssize_t got = ::read(backup_.get(), text.data() + have, bytes - have);
      if (got <= 0) break;
      have += static_cast<std::size_t>(got);
    }
    text.resize(have);
    return text;
  }

  Result<void> write(const TarEntry& entry) {
    const fs::path path = folder_ / entry.name;
    ::mkdir(path.parent_path().c_str(), S_IRWXU);  // one level, which may be there
    const platform::UniqueFd file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file) return file_error("write", path, errno);
    for (std::uint64_t left = entry.bytes; left > 0;) {
      const std::string piece =
          read(static_cast<std::size_t>(std::min<std::uint64_t>(copy_bytes, left)));
      if (piece.empty()) return damaged_backup("The backup ends in the middle.");
      for (std::string_view rest = piece; !rest.empty();) {
        const ssize_t wrote = ::write(file.get(), rest.data(), rest.size());
        if (wrote < 0) return file_error("write", path, errno);
        rest.remove_prefix(static_cast<std::size_t>(wrote));
      }
      left -= piece.size();
    }
    if (::fsync(file.get()) != 0) return file_error("write", path, errno);
    return {};
  }

  platform::UniqueFd backup_;
  fs::path folder_;
};

}  // namespace

Result<void> unpack_backup(platform::UniqueFd backup, const fs::path& folder) {
  return Unpacking(std::move(backup), folder).run();
}

}  // namespace server
