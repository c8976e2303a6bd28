#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "server/sessions/session_store.h"
#include "tests/server/temporary_folder.h"
#ifdef SCRIBED_TEST_POSTGRES
#include "server/sessions_postgres/postgres_session_store.h"
#include "tests/server/jobs_postgres/postgres_under_test.h"
#endif

// The stores for which the cases of SessionStore run: SQLite's here, and PostgreSQL's in the
// program server_sessions_postgres_tests, which is made of the same source. Each has a store, and
// why_not(): why there is none on this machine; reopen(): opens it anew.
namespace server::test {

struct SqliteSessionsUnderTest {
  SqliteSessionsUnderTest() { reopen(); }

  static std::string why_not() { return ""; }
  void reopen() {
    store.reset();
    store = open_session_store(folder / "sessions.sqlite").value();
  }

  TemporaryFolder folder{};
  std::unique_ptr<SessionStore> store{};
};

#ifdef SCRIBED_TEST_POSTGRES
// The tables are those of the jobs' store.
struct PostgresSessionsUnderTest {
  PostgresSessionsUnderTest() {
    if (why_not().empty()) reopen();
  }

  static std::string why_not() { return PostgresUnderTest::why_not(); }
  void reopen() { store = open(); }
  std::unique_ptr<SessionStore> open() const {
    return open_postgres_session_store(
        {.address = tables.settings.address, .schema = tables.settings.schema});
  }

  PostgresUnderTest tables{};
  std::unique_ptr<SessionStore> store{};
};

using SessionStoresUnderTest = testing::Types<PostgresSessionsUnderTest>;
#else
using SessionStoresUnderTest = testing::Types<SqliteSessionsUnderTest>;
#endif

}  // namespace server::test
