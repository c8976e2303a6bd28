#include "server/daemon/restore.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "server/base/file_error.h"
#include "server/daemon/backup_reader.h"
#include "server/daemon/state_folder.h"
#include "server/daemon/unpack_backup.h"
#include "server/jobs_sqlite/check_database.h"
#include "server/jobs_sqlite/sqlite_job_store.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr char database[] = "jobs.sqlite";

// A folder for what is unpacked, which goes with this object.
class UnpackFolder {
 public:
  explicit UnpackFolder(fs::path path) : path_(std::move(path)) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);  // what a crash may have left
    made_ = ::mkdir(path_.c_str(), S_IRWXU) == 0;
  }
  UnpackFolder(const UnpackFolder&) = delete;
  ~UnpackFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  bool is_made() const { return made_; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  bool made_ = false;
};

// Checks and opens the jobs of an unpacked backup, and returns how many have not ended.
Result<int> check_jobs(const fs::path& file) {
  if (const auto checked = check_foreign_database(file); !checked) return checked.error();
  auto store = open_job_store({.file = file});
  if (!store) return store.error();
  const auto recovered = (*store)->recover();
  if (!recovered) return recovered.error();
  return (*store)->count_waiting();
}

bool has_jobs(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / database, ignored);
}

// Whether there is anything in whose place a backup would come. Jobs that were damaged are put
// aside without the uploads, for instance.
bool has_state(const fs::path& folder) {
  if (has_jobs(folder)) return true;
  for (const char* part : {"inputs", "uploads"}) {
    std::error_code ignored;
    const bool is_there = fs::exists(folder / part, ignored);
    if (is_there && !fs::is_empty(folder / part, ignored)) return true;
  }
  return false;
}

Result<void> move_into(const fs::path& from, const fs::path& folder) {
  for (const char* part : {"inputs", "uploads", database}) {  // the jobs last: they need the others
    const bool is_moved = ::rename((from / part).c_str(), (folder / part).c_str()) == 0;
    if (!is_moved && errno != ENOENT) return file_error("move", from / part, errno);
  }
  return sync_folder(folder);
}

}  // namespace

Result<platform::UniqueFd> open_backup(const fs::path& file) {
  platform::UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd) return fd;
  if (errno == ENOENT) {
    return Error{errc::input_not_found, file.string() + " does not exist", "Check the path."};
  }
  return Error{errc::input_unreadable, "cannot read " + file.string(), "Check its permissions."};
}

Result<Restored> restore_backup(platform::UniqueFd backup, const fs::path& folder, bool replaces) {
  if (const auto prepared = prepare_state_folder(folder); !prepared) return prepared.error();
  if (has_state(folder) && !replaces) {
    return Error{
        errc::output_not_writable, "there are jobs or uploads in " + folder.string() + " already",
        "With --replace they are moved aside; or name another folder with --state-folder."};
  }
  // As long as it is open no scribed begins to work there.
  std::unique_ptr<JobStore> lock;
  if (has_jobs(folder)) {
    auto store = open_job_store({.file = folder / database});
    if (!store && store.error().code != "damaged_store") return store.error();
    if (store) lock = *std::move(store);
  }
  const UnpackFolder unpacked(folder / "restore.partial");
  if (!unpacked.is_made()) return file_error("make", unpacked.path(), errno);
  if (const auto done = unpack_backup(std::move(backup), unpacked.path()); !done) {
    return done.error();
  }
  const auto open_jobs = check_jobs(unpacked.path() / database);
  if (!open_jobs) return open_jobs.error();
  Restored restored{.open_jobs = *open_jobs};
  lock.reset();
  if (has_state(folder)) {
    const auto aside = put_state_aside(folder);
    if (!aside) return aside.error();
    restored.aside = *aside;
  }
  if (const auto moved = move_into(unpacked.path(), folder); !moved) return moved.error();
  return restored;
}

Result<void> back_up_folder(const fs::path& folder, int to) {
  if (!has_jobs(folder)) {
    return Error{errc::input_not_found, "there are no jobs in " + folder.string(),
                 "Name the folder of jobs with --state-folder."};
  }
  auto store = open_job_store({.file = folder / database});
  if (!store) return store.error();
  auto copy = copy_store(directly(**store), folder / backup_copy_name, folder / "inputs");
  if (!copy) return copy.error();
  BackupReader reader(*std::move(copy), folder / "uploads");
  while (true) {
    const auto piece = reader.next();
    if (!piece) return piece.error();
    if (piece->empty()) return {};
    for (std::string_view rest = *piece; !rest.empty();) {
      const ssize_t wrote = ::write(to, rest.data(), rest.size());
      if (wrote < 0) return file_error("write", "the backup", errno);
      rest.remove_prefix(static_cast<std::size_t>(wrote));
    }
  }
}

}  // namespace server
