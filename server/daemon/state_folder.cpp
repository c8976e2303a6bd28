#include "server/daemon/state_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <string>
#include <system_error>
#include <vector>

#include "server/base/file_error.h"
#include "server/inputs/own_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// Returns a file whose name scribed does not give; empty if there is none.
std::string foreign_file(const fs::path& folder) {
  const platform::UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return "";
  const auto names = names_in(fd);
  const auto found = std::ranges::find_if_not(names, is_own_name);
  return found == names.end() ? "" : *found;
}

// Returns "damaged-20261123T120000Z".
std::string time_name(const char* what) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  return fmt::format("{}-{:04}{:02}{:02}T{:02}{:02}{:02}Z", what, utc.tm_year + 1900,
                     utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

// The database of jobs, the recordings of its jobs and their sound.
constexpr std::array jobs_parts{"jobs.sqlite", "jobs.sqlite-wal", "jobs.sqlite-shm", "inputs",
                                "sounds"};

Result<fs::path> put_aside(const fs::path& folder, const char* what,
                           const std::vector<const char*>& parts) {
  const fs::path aside = folder / time_name(what);
  if (::mkdir(aside.c_str(), 0700) != 0) return file_error("make", aside, errno);
  for (const char* part : parts) {
    const auto from = folder / part;
    const bool is_moved = ::rename(from.c_str(), (aside / part).c_str()) == 0;
    if (!is_moved && errno != ENOENT) return file_error("move", from, errno);
  }
  if (const auto synced = sync_folder(folder); !synced) return synced.error();
  return aside;
}

}  // namespace

Result<void> prepare_state_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(fs::absolute(folder, failure).parent_path(), failure);
  // A folder that exists keeps its permissions: what is in it is closed to others anyway.
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return Error{errc::io_error, fmt::format("{}: {}", folder.string(), std::strerror(errno)),
                 "Name another folder with jobs.state_folder."};
  }
  if (fs::exists(folder / "jobs.sqlite", failure)) return {};
  for (const char* part : {"inputs", "uploads", "sounds"}) {
    const std::string foreign = foreign_file(folder / part);
    if (foreign.empty()) continue;
    return Error{errc::bad_config,
                 fmt::format("{} has no jobs of scribed, and {} in it is not scribed's",
                             folder.string(), (fs::path(part) / foreign).string()),
                 "Name another folder with jobs.state_folder, or move that file away."};
  }
  return {};
}

Result<fs::path> put_jobs_aside(const fs::path& folder) {
  return put_aside(folder, "damaged", {jobs_parts.begin(), jobs_parts.end()});
}

Result<fs::path> put_state_aside(const fs::path& folder) {
  std::vector<const char*> parts(jobs_parts.begin(), jobs_parts.end());
  parts.push_back("uploads");
  return put_aside(folder, "replaced", parts);
}

}  // namespace server
