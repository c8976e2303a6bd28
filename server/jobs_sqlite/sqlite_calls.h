#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>

#include "server/base/error.h"
#include "server/jobs/text_edit.h"
#include "server/jobs_sqlite/call_deadline.h"
#include "server/jobs_sqlite/disk_space.h"
#include "server/jobs_sqlite/store_error.h"

namespace server {

// For what writes, ends or removes jobs: it takes as long as their texts need, and must not fail
// for ever.
inline constexpr std::chrono::milliseconds no_deadline{0};

// The calls of a store: each has a deadline, and a failure of SQLite becomes the error that clients
// may see. They need not know where the folder of the file is.
class SqliteCalls {
 public:
  SqliteCalls(SQLite::Database db, DiskReserve reserve, std::filesystem::path file,
              std::chrono::milliseconds longest)
      : db_(std::move(db)),
        reserve_(std::move(reserve)),
        deadline_(db_),
        file_(std::move(file)),
        longest_(longest) {}

  SQLite::Database& db() { return db_; }

  template <class T, class Work>
  Result<T> attempt(Work work) {
    return attempt<T>(longest_, work);
  }

  template <class T, class Work>
  Result<T> attempt(std::chrono::milliseconds longest, Work work) {
    deadline_.begin(longest);
    try {
      if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
        work();
        return {};
      } else {
        return work();
      }
    } catch (const SQLite::Exception& exception) {
      return failure_of(exception);
    }
  }

  // Work that frees space, or that must not fail on a full disk, may use the reserve. A failure has
  // emptied the log, so there may be room for a second attempt without a reserve, too.
  template <class T, class Work>
  Result<T> attempt_on_reserve(Work work) {
    auto done = attempt<T>(no_deadline, work);
    if (done || done.error().code != errc::out_of_disk) return done;
    reserve_.release();
    return attempt<T>(no_deadline, work);
  }

  template <class Answer, class Work>
  Answer attempt_edit(Work work) {
    deadline_.begin(longest_);
    try {
      return work();
    } catch (const SQLite::Exception& exception) {
      return EditRefusal{.error = failure_of(exception)};
    }
  }

 protected:
  template <class... Values>
  void run(const std::string& sql, const Values&... values) {
    SQLite::Statement statement(db_, sql);
    SQLite::bind(statement, values...);
    statement.exec();
  }

  SQLite::Database db_;
  DiskReserve reserve_;

 private:
  // What was written before the disk was full is given back.
  Error failure_of(const SQLite::Exception& exception) {
    Error error = error_of(exception, file_);
    if (error.code == errc::out_of_disk) try_to_empty_log(db_);
    return error;
  }

  CallDeadline deadline_;
  std::filesystem::path file_;
  std::chrono::milliseconds longest_;
};

}  // namespace server
