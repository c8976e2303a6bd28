#include "server/jobs_sqlite/schema.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "server/jobs_sqlite/schema_versions.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/jobs/job_store_fixture.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

// 0.1.0 wrote this database on 22 November 2026; tests/integration/data/state-0.1.0 describes its
// content.
constexpr char saved[] = SCRIBED_SOURCE_DIR "/tests/integration/data/state-0.1.0/jobs.sql";
constexpr double soon_after = 1795375000;

class UpgradeTest : public testing::Test {
 protected:
  UpgradeTest() {
    SQLite::Database db(file_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec(test::read_text(saved));
  }
  std::unique_ptr<JobStore> open() {
    return open_job_store({.file = file_, .now = [] { return soon_after; }}).value();
  }
  static std::map<std::string, Job> by_state(JobStore& store, const std::string& owner) {
    std::map<std::string, Job> found;
    for (auto& job : store.list(owner, 100, "").value()) found.emplace(name(job.state), job);
    return found;
  }

  test::TemporaryFolder root_{};
  std::filesystem::path file_ = root_ / "jobs.sqlite";
};

TEST_F(UpgradeTest, AnOldDatabaseHasAllItsJobs) {
  const auto store = open();
  const auto jobs = store->list("ada", 100, "").value();
  ASSERT_EQ(jobs.size(), 6u);
  EXPECT_TRUE(std::ranges::is_sorted(jobs, std::greater{}, &Job::created));
  auto by = by_state(*store, "ada");
  ASSERT_EQ(by.size(), 5u) << "one in every state";
  EXPECT_EQ(by["done"].request.title, "talk.wav");
  EXPECT_EQ(by["done"].request.model, "nano");
  EXPECT_FALSE(by["done"].request.keep_results_s);
  EXPECT_EQ(by["done"].request.options.task, protocol::Task::transcribe);
  EXPECT_TRUE(by["done"].request.options.word_timestamps);
  EXPECT_EQ(by["done"].summary.device, "cpu");
  EXPECT_EQ(by["done"].language, "en");
  EXPECT_EQ(store->segments(by["done"].id, 0, 100).value().size(), 12u);
  EXPECT_EQ(by["failed"].error.value().code, "non_finite_logits");
  EXPECT_EQ(store->list("bob", 100, "").value().size(), 1u);
  EXPECT_TRUE(store->check("ada", "minutes-1", {.is_draining = true}));
  const auto left = store->undelivered().value();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].request.webhook, "http://127.0.0.1:@PORT@/hook");
}

TEST_F(UpgradeTest, WhatRanGoesOnWithAllThatWasAsked) {
  const auto store = open();
  EXPECT_EQ(store->recover().value(), 1);
  EXPECT_EQ(store->inputs().value().size(), 2u) << "the job whose client waited has ended";
  const auto job = store->claim({}).value().value();
  EXPECT_EQ(job.request.options.initial_prompt, "fake:slow");
  EXPECT_EQ(job.request.options.language, "en");
  EXPECT_EQ(job.request.options.beam_size, 2);
  EXPECT_EQ(job.request.decoder.max_seconds, 7200);
  EXPECT_EQ(job.segments, 3);
  EXPECT_EQ(job.position, 15);
  EXPECT_EQ(job.attempts, 2);
}

TEST_F(UpgradeTest, AnUpgradedDatabaseIsOpenedAgain) {
  open();
  const auto store = open();
  EXPECT_EQ(store->list("ada", 100, "").value().size(), 6u);
  EXPECT_EQ(store->claim({}).value().value().request.model, "nano");
}

TEST_F(UpgradeTest, LongOptionsLieBesideTheJobsThatStillNeedThem) {
  open();
  SQLite::Database db(file_.string());
  EXPECT_EQ(db.execAndGet("PRAGMA user_version").getInt(), current_version);
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM options").getInt(),
            db.execAndGet("SELECT count(*) FROM jobs WHERE state IN (0, 1)").getInt());
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM jobs "
                          "WHERE json_extract(request, '$.options.initial_prompt') != ''")
                .getInt(),
            0);
}

TEST_F(UpgradeTest, OldJobsAreCountedOneByOne) {
  const auto store = open();
  EXPECT_TRUE(store->stored_bytes().value().value().empty());
  while (store->index_next().value()) continue;
  const auto stored = store->stored_bytes().value().value();
  EXPECT_GT(stored.at("ada"), 2000U);
  for (const Job& job : store->list("ada", 100, "").value()) ASSERT_TRUE(store->remove(job.id));
  EXPECT_FALSE(store->stored_bytes().value().value().contains("ada"));
}

TEST_F(UpgradeTest, AnOldDatabaseIsRebuiltSoThatItsFreeSpaceCanBeGivenBack) {
  open();
  SQLite::Database db(file_.string());
  EXPECT_EQ(db.execAndGet("PRAGMA auto_vacuum").getInt(), 2);
  EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST_F(UpgradeTest, RenamedColumnsKeepWhatTheyHold) {
  const auto column = [this](const char* name) {
    SQLite::Database db(file_.string());
    SQLite::Statement query(db, "SELECT " + std::string(name) + " FROM jobs ORDER BY number");
    std::vector<int> values;
    while (query.executeStep()) values.push_back(query.getColumn(0).getInt());
    return values;
  };
  {
    SQLite::Database db(file_.string(), SQLite::OPEN_READWRITE);
    db.exec("UPDATE jobs SET fruitless = number, told = number % 2");
  }
  const auto attempts = column("fruitless"), told = column("told");
  open();
  EXPECT_EQ(column("attempts_without_progress"), attempts);
  EXPECT_EQ(column("delivered"), told);
  EXPECT_EQ(attempts.size(), 7U);
}

TEST_F(UpgradeTest, EndedJobsOfATimeOfTheirOwnExpireAloneAndNoneThatWasNamed) {
  {
    SQLite::Database db(file_.string(), SQLite::OPEN_READWRITE);
    db.exec("UPDATE jobs SET expires = 5000000000 WHERE state >= 2");
  }
  const auto store = open();
  for (const Job& job : store->list("ada", 100, "").value()) EXPECT_EQ(job.expires, 0);
}

TEST_F(UpgradeTest, SpeakersOfOldJobsHaveNoNames) {
  const auto store = open();
  for (const Job& job : store->list("ada", 100, "").value()) {
    EXPECT_TRUE(job.speaker_names.empty());
  }
  const std::string id = by_state(*store, "ada")["done"].id;
  ASSERT_TRUE(store->set_speaker_names(id, {{"A", "Anna"}}));
  EXPECT_EQ(by_state(*store, "ada")["done"].speaker_names.at("A"), "Anna");
}

// A database of version 7 with two jobs that were begun. Jobs have no turns before that.
class UpgradeToTurns : public test::JobStoreTest {
 protected:
  UpgradeToTurns() {
    for (const char* owner : {"ada", "ada", "bob", "bob", "ada"}) add(owner);
    take();
    take();
    store_.reset();
    SQLite::Database db(settings_.file.string(), SQLite::OPEN_READWRITE);
    go_back_to_version_8(db);
    for (const char* index :
         {"jobs_by_owner", "jobs_waiting", "jobs_waiting_of_owner", "jobs_waiting_for_model",
          "jobs_pinned", "jobs_expiring", "jobs_by_end", "jobs_kept", "jobs_without_expiry"}) {
      db.exec("DROP INDEX " + std::string(index));
    }
    for (const char* column : {"turn", "cost", "is_bulk", "not_before", "model", "kept"}) {
      db.exec("ALTER TABLE jobs DROP COLUMN " + std::string(column));
    }
    db.exec(
        "DROP TABLE lines; DROP TABLE owners; "
        "ALTER TABLE jobs ADD COLUMN turn INTEGER NOT NULL DEFAULT 0; "
        "UPDATE jobs SET turn = number WHERE state = 1; "
        "CREATE INDEX jobs_by_owner ON jobs (owner, turn); "
        "CREATE INDEX jobs_waiting ON jobs (owner, number) WHERE state = 0; "
        "PRAGMA user_version = 7");
  }
  // Nothing was counted then, and a job was removed at once.
  static void go_back_to_version_8(SQLite::Database& db) {
    std::vector<std::string> triggers;
    SQLite::Statement query(db, "SELECT name FROM sqlite_master WHERE type = 'trigger'");
    while (query.executeStep()) triggers.push_back(query.getColumn(0).getString());
    query.reset();
    for (const auto& trigger : triggers) db.exec("DROP TRIGGER " + trigger);
    db.exec(
        "DROP TABLE stored_of_jobs; DROP TABLE stored_of_owners; DROP TABLE jobs_to_count; "
        "DROP TABLE removed_jobs; DROP TABLE removed_text; "
        "CREATE TRIGGER jobs_leave_search AFTER DELETE ON jobs BEGIN SELECT 1; END");
  }
  void add_what_comes_later() {
    reopen();
    add("ada");
    add("eve");
  }
  std::string ask(const std::string& sql) {
    SQLite::Database db(settings_.file.string());
    return db.execAndGet(sql).getString();
  }
};

TEST_F(UpgradeToTurns, WhatWaitedIsBegunInTheOrderOfItsComingAndByOwner) {
  add_what_comes_later();
  EXPECT_EQ(store_->recover().value(), 2);
  std::string owners;
  while (const auto job = store_->claim({}).value()) owners += job->request.owner + " ";
  EXPECT_EQ(owners, "ada bob eve ada bob ada ada ") << "what came later is ada's fourth";
}

TEST_F(UpgradeToTurns, JobsThatWaitHaveTheirModel) {
  reopen();
  EXPECT_EQ(store_->recover().value(), 2);
  store_.reset();
  EXPECT_EQ(ask("SELECT group_concat(DISTINCT model) FROM jobs"), "base");
  EXPECT_EQ(ask("SELECT group_concat(owner || finish) FROM owners"), "ada3.0,bob2.0");
}

// A database of version 6. Nobody has claimed anything.
class UpgradeToClaims : public UpgradeToTurns {
 protected:
  UpgradeToClaims() {
    SQLite::Database db(settings_.file.string(), SQLite::OPEN_READWRITE);
    db.exec(
        "DROP INDEX jobs_waiting; DROP INDEX jobs_running; ALTER TABLE jobs DROP COLUMN epoch; "
        "PRAGMA user_version = 6");
  }
};

TEST_F(UpgradeToClaims, WhatWaitedAndRanIsClaimedInItsTurn) {
  reopen();
  store_.reset();
  EXPECT_EQ(ask("SELECT group_concat(epoch) FROM jobs"), "0,0,0,0,0");
  reopen();
  EXPECT_EQ(store_->recover().value(), 2);
  std::string owners;
  while (const auto job = store_->claim({}).value()) {
    owners += job->request.owner + " ";
    EXPECT_TRUE(store_->set_progress(claim_of(*job), 1, 2, "de"));
  }
  EXPECT_EQ(owners, "ada bob ada bob ada ");
}

TEST_F(UpgradeToClaims, FailsWholeOrNotAtAll) {
  {
    SQLite::Database db(settings_.file.string(), SQLite::OPEN_READWRITE);
    db.exec("CREATE INDEX jobs_running ON jobs (owner)");  // the upgrade makes it at its end
  }
  EXPECT_FALSE(open_job_store(settings_));
  EXPECT_EQ(ask("PRAGMA user_version"), "6");
  EXPECT_EQ(ask("SELECT count(*) FROM pragma_table_info('jobs') WHERE name = 'epoch'"), "0");
  EXPECT_EQ(ask("SELECT count(*) FROM sqlite_master WHERE name = 'jobs_waiting'"), "0");
}

TEST_F(UpgradeTest, AnUpgradeThatFailsChangesNothing) {
  const auto version_of = [](SQLite::Database& db) {
    return db.execAndGet("PRAGMA user_version").getInt();
  };
  SQLite::Database db(file_.string(), SQLite::OPEN_READWRITE);
  const int before = version_of(db);
  db.exec("DROP INDEX jobs_by_owner");  // the upgrade drops it, behind other changes
  EXPECT_THROW(static_cast<void>(prepare_job_database(db)), SQLite::Exception);
  EXPECT_EQ(version_of(db), before);
  EXPECT_THROW(db.exec("SELECT turn FROM jobs"), SQLite::Exception);
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM jobs").getInt(), 7);
}

class SchemaTest : public testing::Test {
 protected:
  using Rows = std::vector<std::string>;

  // Returns names, types and defaults of the columns, in order.
  Rows columns(const std::string& database, const std::string& table) {
    SQLite::Statement query(
        db_, "SELECT name || ' ' || type || ' ' || coalesce(dflt_value, '') FROM " +
                 ("pragma_table_info('" + table + "', '" + database + "') ORDER BY cid"));
    Rows found;
    while (query.executeStep()) found.push_back(query.getColumn(0).getString());
    return found;
  }

  test::TemporaryFolder folder_{};
  SQLite::Database db_{(folder_ / "jobs.sqlite").string(),
                       SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
};

TEST_F(SchemaTest, MemoryHasTheTablesOfTheDisk) {
  ASSERT_TRUE(prepare_job_database(db_));
  for (const char* table : {"jobs", "segments", "options", "versions", "revisions"}) {
    const Rows on_the_disk = columns(on_disk, table);
    EXPECT_FALSE(on_the_disk.empty()) << table;
    EXPECT_EQ(columns(in_memory, table), on_the_disk) << table;
  }
  const auto indexes = [this](const std::string& database) {
    return db_
        .execAndGet("SELECT count(*) FROM " + database +
                    ".sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        .getInt();
  };
  EXPECT_GT(indexes(on_disk), 0);
  EXPECT_EQ(indexes(in_memory), indexes(on_disk));
}

TEST_F(SchemaTest, TheViewHasTheJobsOfBoth) {
  ASSERT_TRUE(prepare_job_database(db_));
  for (const char* database : {on_disk, in_memory}) {
    db_.exec("INSERT INTO " + std::string(database) +
             ".jobs (id, owner, state, request, created, detached) VALUES ('" + database +
             "', 'ada', 0, '{}', 1, 1)");
  }
  EXPECT_EQ(db_.execAndGet("SELECT group_concat(id) FROM (SELECT id FROM all_jobs ORDER BY id)")
                .getString(),
            "main,memory");
}

TEST_F(SchemaTest, ADatabaseOfALaterVersionIsLeftAlone) {
  db_.exec("PRAGMA user_version = 99");
  const auto prepared = prepare_job_database(db_);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, "newer_store");
  EXPECT_EQ(db_.execAndGet("SELECT count(*) FROM sqlite_master").getInt(), 0);
}

}  // namespace
}  // namespace server
