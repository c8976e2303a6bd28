#include "server/jobs_sqlite/text_rows.h"

#include <SQLiteCpp/VariadicBind.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "server/jobs_sqlite/schema.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using TextRowsOnTheDisk = test::JobStoreTest;

TEST_F(TextRowsOnTheDisk, ARemovedJobLeavesNone) {
  const std::string id = add().id;
  take();
  ASSERT_TRUE(store_->add_segments(held(id), std::vector{test::segment(0)}));
  ASSERT_TRUE(store_->finish(held(id), {}));
  ASSERT_TRUE(edit_text({id, "ada", {}}, std::vector<TextEdit>{SetText{0, "secret words"}}));
  ASSERT_TRUE(store_->remove(id));
  while (store_->tidy_up().value()) continue;
  store_.reset();
  SQLite::Database db(settings_.file.string());
  for (const char* table : {"jobs", "segments", "revisions", "versions", "search"}) {
    EXPECT_EQ(db.execAndGet("SELECT count(*) FROM " + std::string(table)).getInt(), 0) << table;
  }
}

// A text of six segments that were revised again and again.
class LongHistory : public testing::Test {
 protected:
  static constexpr int versions = 5000, segments = 6;

  LongHistory() {
    EXPECT_TRUE(prepare_job_database(db_));
    SQLite::Transaction transaction(db_);
    SQLite::Statement decide(db_, "INSERT INTO main.segments VALUES ('job', ?, ?)");
    for (int number = 0; number < segments; ++number) {
      decide.reset();
      SQLite::bind(decide, number, "decided " + std::to_string(number));
      decide.exec();
    }
    for (int version = 1; version <= versions; ++version) {
      std::vector<DraftRow> rows;
      for (int number = 0; number < segments; ++number) {
        rows.push_back({number, static_cast<double>(number), std::to_string(version)});
      }
      write_rows(db_, 1, version, rows);
    }
    // The second was removed, and another segment has got its place.
    write_rows(db_, 1, versions + 1, std::vector<DraftRow>{{1, 1.0, ""}, {90, 1.0, "new"}});
    transaction.commit();
  }

  // Returns what `read` says, and counts the thousands of steps that SQLite takes meanwhile.
  template <class Read>
  auto counted(const Read& read) {
    steps_ = 0;
    const auto count = [](void* steps) { return ++*static_cast<int*>(steps), 0; };
    ::sqlite3_progress_handler(db_.getHandle(), 1000, count, &steps_);
    auto found = read(SqliteTextRows(db_, on_disk, "job", 1));
    ::sqlite3_progress_handler(db_.getHandle(), 0, nullptr, nullptr);
    return found;
  }
  std::string text_of(int version) {
    const auto slice =
        counted([&](const TextRows& rows) { return rows.read(version, -1, 99, 9999); });
    EXPECT_FALSE(slice.next);
    std::string text;
    for (const StoredSegment& one : slice.segments) text += one.content + " ";
    return text;
  }

  SQLite::Database db_{":memory:", SQLite::OPEN_READWRITE};
  int steps_ = 0;
};

TEST_F(LongHistory, EachVersionIsReadFromSegmentToSegment) {
  EXPECT_EQ(text_of(0), "decided 0 decided 1 decided 2 decided 3 decided 4 decided 5 ");
  EXPECT_LT(steps_, 5);
  EXPECT_EQ(text_of(2500), "2500 2500 2500 2500 2500 2500 ");
  EXPECT_LT(steps_, 5);
  EXPECT_EQ(text_of(versions + 1), "5000 new 5000 5000 5000 5000 ");
  EXPECT_LT(steps_, 5);
}

TEST_F(LongHistory, PagesThatMeetAtOnePlaceLoseNothing) {
  const auto page =
      counted([](const TextRows& rows) { return rows.read(versions + 1, -1, 2, 9999); });
  ASSERT_EQ(page.segments.size(), 2U);
  EXPECT_EQ(page.segments[1].id, 90);
  ASSERT_EQ(page.next, 1.0);
  const auto rest =
      counted([&](const TextRows& rows) { return rows.read(versions + 1, *page.next, 9, 9999); });
  EXPECT_EQ(rest.segments.size(), 4U);
  EXPECT_LT(steps_, 5);
}

TEST_F(LongHistory, WhatIsBeforeAPlaceOrChangedIsFoundAtOnce) {
  const auto before = counted([](const TextRows& rows) { return rows.before(versions + 1, 2.0); });
  ASSERT_EQ(before.segments.size(), 1U);
  EXPECT_EQ(before.segments[0].id, 90);
  EXPECT_LT(steps_, 5);
  EXPECT_EQ(counted([](const TextRows& rows) { return rows.before(3, 2.0); }).segments[0].id, 1);
  const auto changed =
      counted([](const TextRows& rows) { return rows.changed_since(versions, -1, 9); });
  EXPECT_EQ(changed.ids, (std::vector<std::int64_t>{1, 90}));
  EXPECT_FALSE(changed.next);
  EXPECT_LT(steps_, 5);
}

}  // namespace
}  // namespace server
