#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace server
