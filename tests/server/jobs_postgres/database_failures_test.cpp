// A database that goes away, that is of another version, or that is not there.

#include <string>

#include "server/jobs_postgres/schema.h"
#include "tests/server/jobs_postgres/two_daemons.h"

namespace server {
namespace {

using DatabaseFailures = test::TwoDaemons;

TEST_F(DatabaseFailures, AConnectionThatIsLostIsMadeAnew) {
  const std::string id = add().id;
  under_.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
      "AND application_name = 'scribed'");
  EXPECT_EQ(find(id).id, id);
  EXPECT_TRUE(here().claim({}).value());
}

TEST_F(DatabaseFailures, WhatWasAnsweredSurvivesTheServer) {
  const std::string id = add().id;
  const Claim run = claim(here());
  ASSERT_TRUE(here().add_segments(run, std::vector{test::segment(0)}));
  test::PostgresCluster::instance().crash_and_restart();
  const auto added = here().add_segments(run, std::vector{test::segment(1)});
  ASSERT_TRUE(added) << added.error().message;
  ASSERT_TRUE(here().finish(run, {}));
  EXPECT_EQ(here().segments(id, 0, 10).value().size(), 2U);
}

TEST_F(DatabaseFailures, AServerThatIsNotThereIsUnavailable) {
  auto settings = settings_;
  settings.address = "host=/nowhere user=scribed dbname=postgres";
  EXPECT_EQ(open_postgres_job_store(settings).error().code, errc::database_unavailable);
  settings.address = "postgres://a%zz@b/c";
  const auto wrong = open_postgres_job_store(settings).error();
  EXPECT_EQ(wrong.code, errc::bad_config);
  EXPECT_EQ(wrong.message.find("zz"), std::string::npos) << "it may be a password";
}

TEST_F(DatabaseFailures, ANewerDatabaseIsRefusedUnlessItSaysOtherwise) {
  const int newer = postgres::schema_version + 1;
  under_.execute("UPDATE meta SET version = " + std::to_string(newer) +
                 ", min_reader = " + std::to_string(newer));
  EXPECT_EQ(open_postgres_job_store(settings_).error().code, "newer_store");
  EXPECT_EQ(migrate_job_database(settings_).error().code, "newer_store");
  EXPECT_FALSE(check_job_database(settings_)->is_usable);
  under_.execute("UPDATE meta SET min_reader = " + std::to_string(postgres::schema_version));
  EXPECT_TRUE(open_postgres_job_store(settings_));
}

TEST_F(DatabaseFailures, AnOlderDatabaseWaitsForItsMigration) {
  EXPECT_EQ(postgres::check_schema({0, 0}).error().code, "outdated_store");
  EXPECT_TRUE(postgres::check_schema({postgres::schema_version, postgres::schema_min_reader}));
}

TEST_F(DatabaseFailures, TablesAreMadeOnceThoughManyStartAtOnce) {
  auto settings = settings_;
  settings.schema = test::PostgresUnderTest::next_schema();
  EXPECT_EQ(check_job_database(settings)->version, 0) << "it only looks";
  {
    std::vector<std::jthread> starts;
    for (int i = 0; i < 8; ++i) {
      starts.emplace_back([&] { EXPECT_TRUE(open_postgres_job_store(settings)); });
    }
  }
  EXPECT_EQ(check_job_database(settings)->nodes, 8);
  under_.execute("DROP SCHEMA " + settings.schema + " CASCADE");
}

TEST_F(DatabaseFailures, ABackupIsTheDatabasesOwn) {
  const auto refused = here().back_up("/nowhere");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().fix.find("pg_dump"), std::string::npos);
}

}  // namespace
}  // namespace server
