#include "server/jobs_sqlite/store_error.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <string>

namespace server {
namespace {

// SQLite's result codes, without a dependency on its header.
constexpr int sqlite_busy = 5, sqlite_locked = 6, sqlite_interrupt = 9, sqlite_corrupt = 11,
              sqlite_full = 13, sqlite_not_a_database = 26;

}  // namespace

Error error_of(const SQLite::Exception& exception, const std::filesystem::path& file) {
  const std::string what = fmt::format("{}: {}", file.string(), exception.what());
  switch (exception.getErrorCode()) {
    case sqlite_busy:
    case sqlite_locked:
      return {"store_busy", file.string() + " is in use by another scribed",
              "End the other one, or give this one a state folder of its own."};
    case sqlite_interrupt:
      return {errc::store_timeout, "The job store took too long and canceled the request.",
              "Ask for less at once, or try again in a while."};
    case sqlite_full:
      return {errc::out_of_disk, what, "Make room on the disk."};
    case sqlite_corrupt:
    case sqlite_not_a_database:
      return {"damaged_store", what, "Restart scribed: it moves the file away."};
    default:
      return {errc::internal, what, ""};
  }
}

}  // namespace server
