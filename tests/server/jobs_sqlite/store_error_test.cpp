#include "server/jobs_sqlite/store_error.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

namespace fs = std::filesystem;

class StoreError : public test::JobStoreTest {};

TEST_F(StoreError, SaysWhatIsWrongWithTheFile) {
  std::ofstream(folder_ / "text") << "This is no database, and long enough to be looked at.";
  const auto damaged = open_job_store({.file = folder_ / "text"});
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, "damaged_store");
  EXPECT_EQ(exit_code(damaged.error().code), ExitCode::model);
  const auto missing = open_job_store({.file = folder_ / "none" / "jobs"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "io_error");
}

TEST_F(StoreError, SaysThatTheFileIsDamagedOrOfALaterVersion) {
  for (int i = 0; i < 200; ++i) add();
  store_.reset();
  const auto copy = folder_ / "copy";
  fs::copy_file(settings_.file, copy);
  fs::resize_file(copy, 8192);
  auto damaged = open_job_store({.file = copy});
  const auto found = damaged ? (*damaged)->recover() : Result<int>(damaged.error());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, "damaged_store");
  SQLite::Database(settings_.file.string(), SQLite::OPEN_READWRITE)
      .exec("PRAGMA user_version = 99");
  const auto later = open_job_store(settings_);
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().code, "newer_store");
}

TEST_F(StoreError, ACallThatTakesTooLongIsEnded) {
  for (int i = 0; i < 1000; ++i) add();
  settings_.longest_call = std::chrono::milliseconds(1);
  reopen();
  const auto ended = store_->list("ada", 100'000, "");
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, errc::store_timeout);
  EXPECT_EQ(http_status(errc::store_timeout), 503);
  EXPECT_TRUE(store_->find("none", "ada")) << "each call has its own time";
}

// The other process must not inherit SQLite's state, so it is made before the store.
TEST_F(StoreError, BelongsToOneProcess) {
  store_.reset();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t other = ::fork();
  if (other == 0) {
    char go = 0;
    const bool may_open = ::read(ends[0], &go, 1) == 1;
    const auto store = open_job_store(settings_);
    ::_exit(may_open && !store && store.error().code == "store_busy" ? 0 : 1);
  }
  reopen();
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  int status = 0;
  ::waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace server
