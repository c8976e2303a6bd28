#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "server/jobs_postgres/connection.h"
#include "server/jobs_postgres/postgres_job_store.h"
#include "tests/server/jobs_postgres/postgres_cluster.h"

namespace server::test {

// A store in a schema of its own. The clock of its database is what set_now() says, its lease does
// not end, and nobody tells it anything; tests of leases and news change that.
struct PostgresUnderTest {
  PostgresUnderTest() {
    if (!why_not().empty()) return;
    reopen();
    set_now(1000);
  }
  ~PostgresUnderTest() {
    if (!why_not().empty()) return;
    others.clear();
    store.reset();
    postgres::Connection(connection).execute("DROP SCHEMA " + settings.schema + " CASCADE");
  }
  PostgresUnderTest(const PostgresUnderTest&) = delete;

  static const std::string& why_not() { return PostgresCluster::instance().why_not(); }
  void reopen() {
    store.reset();
    store = open_postgres_job_store(settings).value();
  }
  void set_now(double now) {
    execute(
        "CREATE OR REPLACE FUNCTION scribed_now() RETURNS float8 LANGUAGE sql STABLE AS "
        "'SELECT " +
        std::to_string(now) + "::float8'");
  }
  void execute(const std::string& sql) {
    postgres::Connection admin(connection);
    admin.execute("SET search_path TO " + settings.schema);
    admin.execute(sql);
  }
  // Each thread has a connection of its own to the same node.
  template <class Work>
  auto call(Work work) {
    JobStore* mine = nullptr;
    {
      const std::lock_guard lock(mutex);
      auto& found = others[std::this_thread::get_id()];
      if (!found) found = open_postgres_job_store(settings).value();
      mine = found.get();
    }
    return work(*mine);
  }

  static std::string next_schema() {
    static int made = 0;
    return "test_" + std::to_string(++made);
  }

  PostgresStoreSettings settings{.address = PostgresCluster::instance().address(),
                                 .schema = next_schema(),
                                 .node = "here",
                                 .lease_s = 1e12,
                                 .keeps_lease = false,
                                 .has_news = false,
                                 .keep_s = 24 * 3600};
  postgres::ConnectionSettings connection{.address = settings.address, .schema = settings.schema};
  std::unique_ptr<JobStore> store{};
  std::mutex mutex{};
  std::map<std::thread::id, std::unique_ptr<JobStore>> others{};
  static constexpr int many_jobs = 3000;
};

}  // namespace server::test
