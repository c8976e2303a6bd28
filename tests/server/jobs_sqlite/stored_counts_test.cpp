#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

class StoredCounts : public test::JobStoreTest {};

// Whatever happens to jobs, the triggers count what counting anew finds.
TEST_F(StoredCounts, AreThoseOfACountAnew) {
  for (const bool detached : {true, false}) {
    const std::string id = add("ada", "", detached).id;
    ASSERT_EQ(take(!detached), id);
    const protocol::Segment said[] = {{.start = 0,
                                       .end = 2,
                                       .text = " one two",
                                       .words = {{0, 1, " one", 1, 1}, {1, 2, " two", 1, 1}}},
                                      test::segment(1)};
    ASSERT_TRUE(store_->add_segments(held(id), said));
    const JobEnd end{.summary = {.duration = 4},
                     .exclusive_turns = {{.start = 0, .end = 1, .speaker = "A"},
                                         {.start = 1, .end = 4, .speaker = "B"}}};
    ASSERT_TRUE(store_->finish(held(id), end));
    ASSERT_TRUE(store_->detach(id));
    const std::vector<TextEdit> edits{SetText{0, "another"}, SetText{0, "another again"},
                                      RemoveSegment{1}};
    const auto edited = edit_text({id, "ada"}, edits);
    ASSERT_TRUE(edited) << edited.error().error.message;
    ASSERT_TRUE(restore_text({id, "ada"}, 0));
    ASSERT_TRUE(store_->change(id, "ada", {.title = "Ünd"}));
  }
  add("bob");
  const auto counted = store_->stored_bytes().value().value();
  EXPECT_EQ(counted.size(), 2U);
  store_.reset();
  {
    SQLite::Database db(settings_.file.string(), SQLite::OPEN_READWRITE);
    db.exec("DELETE FROM stored_of_jobs");
    EXPECT_EQ(db.execAndGet("SELECT count(*) FROM stored_of_owners").getInt(), 0);
    db.exec("INSERT INTO jobs_to_count SELECT number FROM jobs");
  }
  store_ = open_job_store(settings_).value();
  while (store_->index_next().value()) continue;
  EXPECT_EQ(store_->stored_bytes().value().value(), counted);
}

TEST_F(StoredCounts, AreToldWhenSomethingHasChanged) {
  add();
  EXPECT_TRUE(store_->stored_bytes().value());
  EXPECT_FALSE(store_->stored_bytes().value());
  ASSERT_TRUE(store_->list("ada", 10, ""));
  EXPECT_FALSE(store_->stored_bytes().value()) << "reading changes nothing";
  add();
  EXPECT_TRUE(store_->stored_bytes().value());
}

}  // namespace
}  // namespace server
