#include "server/jobs_sqlite/open_database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "platform/unique_fd.h"
#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/store_error.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// SQLite gives its other files the mode of this one. The file is closed before SQLite locks it:
// closing any descriptor of a file drops all locks that the process has on it.
Result<void> make_private_file(const fs::path& file) {
  const platform::UniqueFd made(
      ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (made) return {};
  return Error{"io_error", fmt::format("{}: {}", file.string(), std::strerror(errno)),
               "Check that its folder exists and may be written to."};
}

Result<SQLite::Database> open_prepared(const fs::path& file) {
  try {
    SQLite::Database db(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    if (const auto prepared = prepare_job_database(db); !prepared) return prepared.error();
    make_space_returnable(db, file);
    return Result<SQLite::Database>(std::move(db));
  } catch (const SQLite::Exception& exception) {
    return error_of(exception, file);
  }
}

}  // namespace

Result<SQLite::Database> open_job_database(const fs::path& file, const DiskReserve& reserve) {
  if (const auto made = make_private_file(file); !made) return made.error();
  auto db = open_prepared(file);
  if (db || db.error().code != errc::out_of_disk || !reserve.release()) return db;
  return open_prepared(file);
}

}  // namespace server
