#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>

#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/temporary_folder.h"
#ifdef SCRIBED_TEST_POSTGRES
#include "tests/server/jobs_postgres/postgres_under_test.h"
#endif

// The stores for which the cases of JobStore run: SQLite's here, and PostgreSQL's in the program
// server_jobs_postgres_tests, which is made of the same sources. Each has a store and its settings,
// and why_not(): why there is none on this machine; reopen(): opens it anew as after a crash, with
// what is on the disk; set_now(): sets its clock, in seconds since 1970; call(): lets any thread
// work with a store of the same jobs.
namespace server::test {

inline double test_time = 1000;

struct SqliteUnderTest {
  SqliteUnderTest() {
    set_now(1000);
    reopen();
  }

  static std::string why_not() { return ""; }
  void reopen() {
    store.reset();
    store = open_job_store(settings).value();
  }
  static void set_now(double now) { test_time = now; }
  // The file is one process's, and a store is used by one thread at a time, as JobQueue does: so
  // those who race take turns at the same one.
  template <class Work>
  auto call(Work work) {
    const std::lock_guard lock(turn);
    return work(*store);
  }

  TemporaryFolder folder{};
  JobStoreSettings settings{
      .file = folder / "jobs.sqlite", .keep_s = 24 * 3600, .now = [] { return test_time; }};
  std::unique_ptr<JobStore> store{};
  std::mutex turn{};
  // The jobs of a test that wants many; each costs some syncs here.
  static constexpr int many_jobs = 2000;
};

#ifdef SCRIBED_TEST_POSTGRES
using StoresUnderTest = testing::Types<PostgresUnderTest>;
#else
using StoresUnderTest = testing::Types<SqliteUnderTest>;
#endif

}  // namespace server::test
