#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include "server/jobs/text_rows.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using Ids = std::vector<std::string>;
using Texts = std::vector<std::string>;

class SearchIndex : public test::JobStoreTest {
 protected:
  std::string add_said(const Texts& said, const std::string& owner = "ada", bool detached = true) {
    JobRequest request{.model = "base", .title = "talk.wav", .owner = owner, .detached = detached};
    const std::string id = submit(std::move(request)).value().id;
    take(!detached);
    std::vector<protocol::Segment> segments;
    for (const auto& text : said) {
      segments.push_back(test::segment(static_cast<int>(segments.size())));
      segments.back().text = text;
    }
    EXPECT_TRUE(store_->add_segments(held(id), segments));
    EXPECT_TRUE(store_->finish(held(id), {}));
    return id;
  }
  Ids ids(const Texts& wanted, const std::string& owner = "ada") {
    Ids found;
    for (const auto& job : store_->slice(owner, {.texts = wanted}, {}, 100).value().jobs) {
      found.push_back(job.id);
    }
    return found;
  }
  void edit(const std::string& id, const TextEdit& one) {
    const auto made = edit_text({id, "ada", {}}, std::vector{one});
    ASSERT_TRUE(made) << made.error().error.message;
  }
  // Makes the database one that has not yet indexed its jobs.
  void forget_index() {
    store_.reset();
    {
      SQLite::Database db(settings_.file.string(), SQLite::OPEN_READWRITE);
      db.exec("DELETE FROM search");
      db.exec("UPDATE jobs SET indexed = 0");
    }
    store_ = open_job_store(settings_).value();
  }
  bool is_indexed(const std::string& id) {
    store_.reset();
    const auto find = [&] {
      SQLite::Database db(settings_.file.string());
      SQLite::Statement query(db, "SELECT indexed FROM jobs WHERE id = ?");
      query.bind(1, id);
      return query.executeStep() && query.getColumn(0).getInt() == 1;
    };
    const bool found = find();
    store_ = open_job_store(settings_).value();
    return found;
  }
  int rows() {
    store_.reset();
    const auto count = [this] {
      SQLite::Database db(settings_.file.string());
      return db.execAndGet("SELECT count(*) FROM search").getInt();
    };
    const int found = count();
    store_ = open_job_store(settings_).value();
    return found;
  }
};

TEST_F(SearchIndex, ForgetsWhatIsRemovedAndWhatExpires) {
  const std::string id = add_said({" the lamp"});
  add_said({" the lamp"});
  ASSERT_TRUE(store_->remove(id));
  test::test_time += 25 * 3600;
  EXPECT_EQ(store_->remove_expired().value(), 1);
  EXPECT_TRUE(ids({"lamp"}).empty());
  while (store_->tidy_up().value()) continue;
  EXPECT_EQ(rows(), 0);
}

TEST_F(SearchIndex, JobsInMemoryAreReadAndIndexedOnTheDisk) {
  const std::string id = add_said({" the lamp"}, "ada", false);
  EXPECT_EQ(ids({"lamp"}), Ids{id});
  EXPECT_EQ(store_->matches(id, "lamp", 3).value()->size(), 1U);
  EXPECT_EQ(rows(), 0) << "it went with the process";
  const std::string kept = add_said({" the lamp"}, "ada", false);
  ASSERT_TRUE(store_->detach(kept));
  EXPECT_EQ(rows(), 2);
  EXPECT_EQ(ids({"lamp"}), Ids{kept});
}

TEST_F(SearchIndex, OldJobsAreFoundBeforeAndAfterTheyAreIndexed) {
  const std::string first = add_said({" the lamp"});
  const std::string second = add_said({" the keeper", " of the lamp"});
  forget_index();
  EXPECT_EQ(ids({"lamp"}), (Ids{second, first}));
  EXPECT_EQ((*store_->matches(second, "lamp", 3).value())[0].segment, 1);
  edit(second, SetText{1, "of the light"});
  EXPECT_EQ(ids({"lamp"}), Ids{first});
  while (store_->index_next().value()) {
  }
  EXPECT_EQ(rows(), 5);
  EXPECT_EQ(ids({"lamp"}), Ids{first});
  EXPECT_EQ(ids({"light"}), Ids{second});
}

TEST_F(SearchIndex, LongTextsThatGoLeaveTheIndexInSlices) {
  const std::string id = add_said(Texts(most_read_at_once, " the lamp " + std::string(9000, 'a')));
  ASSERT_TRUE(is_indexed(id));
  std::vector<TextEdit> edits;
  for (int i = 1; i < most_read_at_once; ++i) edits.emplace_back(RemoveSegment{i});
  ASSERT_TRUE(edit_text({id, "ada", {}}, edits));
  EXPECT_FALSE(is_indexed(id)) << "as much work as to index them";
  EXPECT_EQ(ids({"lamp"}), Ids{id});
  while (store_->index_next().value()) {
  }
  EXPECT_EQ(rows(), 2) << "the segment and the title";
  edit(id, SetText{0, "the light"});
  EXPECT_TRUE(is_indexed(id));
}

// One owner edits a long text again and again, each time before it is indexed.
TEST_F(SearchIndex, AnOwnerWhoEditsOnKeepsNobodyFromBeingIndexed) {
  const std::string of_bob = add_said({" the lamp"}, "bob");
  const std::string of_ada = add_said({" the lamp"});
  const std::string busy = add_said(Texts(2 * most_read_at_once, " " + std::string(1000, 'a')));
  forget_index();
  for (int i = 0; i < 20; ++i) {
    edit(busy,
         ReplaceText{
             std::string(10, i % 2 == 0 ? 'a' : 'b'), std::string(10, i % 2 == 0 ? 'b' : 'a'), {}});
    ASSERT_TRUE(store_->index_next().value());
  }
  EXPECT_TRUE(is_indexed(of_bob));
  EXPECT_TRUE(is_indexed(of_ada));
  EXPECT_FALSE(is_indexed(busy));
}

TEST_F(SearchIndex, OwnersTakeTurns) {
  add_said({" the lamp"}, "bob");
  add_said({" the lamp"}, "eve");
  for (int i = 0; i < 10; ++i) add_said({" the lamp"});
  forget_index();
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(store_->index_next().value());
  store_.reset();
  SQLite::Database db(settings_.file.string());
  EXPECT_EQ(db.execAndGet("SELECT count(DISTINCT owner) FROM jobs WHERE indexed = 1").getInt(), 3);
}

}  // namespace
}  // namespace server
