#include <fstream>
#include <iterator>
#include <map>

#include "tests/server/jobs/job_store_fixture.h"
#include "tests/server/jobs_sqlite/sync_count.h"

// Jobs whose clients wait are in memory until they are detached.
namespace server {
namespace {

using test::segment;
using test::test_time;

class WaitedForJobs : public test::JobStoreTest {
 protected:
  // Returns the bytes of all files of the store.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      std::ifstream bytes(file.path(), std::ios::binary);
      found[file.path().filename()] = {std::istreambuf_iterator<char>(bytes), {}};
    }
    return found;
  }

  // Takes a job from its acceptance to the reading of its text, and returns its id.
  std::string live(bool detached) {
    const std::string id = add("ada", "", detached).id;
    EXPECT_EQ(take(!detached), id);
    const protocol::Segment two[] = {segment(0), segment(1)};
    EXPECT_TRUE(store_->add_segments(held(id), two));
    EXPECT_TRUE(store_->set_progress(held(id), 4, 4, "de"));
    EXPECT_TRUE(store_->finish(held(id), {.summary = {.duration = 4}}));
    EXPECT_EQ(store_->segments(id, 0, 10).value().size(), 2u);
    EXPECT_EQ(find(id).state, JobState::done);
    return id;
  }
};

TEST_F(WaitedForJobs, CostNoWriteAndNoSync) {
  store_->cancel(add().id, "ada").value();
  const auto before = files();
  const int syncs = test::syncs();
  ASSERT_TRUE(store_->remove(live(false)));
  EXPECT_EQ(test::syncs(), syncs);
  EXPECT_EQ(files(), before);
  live(true);
  EXPECT_GT(test::syncs(), syncs) << "a job that was accepted is on the disk";
  EXPECT_NE(files(), before);
}

TEST_F(WaitedForJobs, EndWithTheProcessUnlessTheyWereDetached) {
  const std::string waited = add("ada", "", false).id, kept = add("ada", "", false).id;
  ASSERT_TRUE(store_->detach(kept));
  reopen();
  store_->recover().value();
  EXPECT_FALSE(store_->find(waited, "ada").value());
  EXPECT_EQ(take(), kept);
}

TEST_F(WaitedForJobs, TakeAllThatTheyHaveAlongWhenTheyAreDetached) {
  const std::string id = add("ada", "", false).id;
  EXPECT_EQ(take(true), id);
  const protocol::Segment one[] = {segment(0)};
  ASSERT_TRUE(store_->add_segments(held(id), one));
  ASSERT_TRUE(store_->set_progress(held(id), 2, 9, "de"));
  ASSERT_TRUE(store_->detach(id));
  const protocol::Segment more[] = {segment(1)};
  ASSERT_TRUE(store_->add_segments(held(id), more)) << "its run goes on";
  reopen();
  store_->recover().value();
  const auto taken = store_->claim({}).value().value();
  EXPECT_EQ(taken.id, id);
  EXPECT_TRUE(taken.request.detached);
  EXPECT_EQ(taken.request.options.language, "de");
  EXPECT_EQ(taken.attempts, 2);
  EXPECT_EQ(taken.position, 2);
  EXPECT_EQ(store_->segments(id, 0, 10).value(), (std::vector{segment(0), segment(1)}));
}

TEST_F(WaitedForJobs, KeepTheirResultWhenTheyAreDetachedAfterTheirEnd) {
  const std::string id = live(false);
  ASSERT_TRUE(store_->detach(id));
  ASSERT_TRUE(store_->detach(id)) << "once more changes nothing";
  reopen();
  EXPECT_EQ(find(id).state, JobState::done);
  EXPECT_EQ(find(id).summary.duration, 4);
  EXPECT_EQ(store_->segments(id, 0, 10).value().size(), 2u);
}

TEST_F(WaitedForJobs, AreListedAndCountedWithTheOthersInTheOrderOfTheirComing) {
  const std::string a = add().id, b = add("ada", "", false).id, c = add().id,
                    d = add("ada", "", false).id;
  const auto ids = [this](const std::string& before) {
    std::vector<std::string> found;
    for (const Job& job : store_->list("ada", 2, before).value()) found.push_back(job.id);
    return found;
  };
  EXPECT_EQ(ids(""), (std::vector{d, c}));
  EXPECT_EQ(ids(c), (std::vector{b, a}));
  EXPECT_EQ(store_->count_waiting().value(), 4);
  EXPECT_EQ(store_->waiting().value(), (std::vector{b, d, a, c})) << "clients come first";
  ASSERT_TRUE(store_->detach(b));
  EXPECT_EQ(ids(c), (std::vector{b, a}));
  EXPECT_FALSE(store_->find(b, "bob").value());
}

TEST_F(WaitedForJobs, HaveTurnsOfTheirOwn) {
  for (int i = 0; i < 3; ++i) add("ada");
  const std::string ada = add_waited_for("ada").id, bob = add_waited_for("bob").id;
  EXPECT_EQ(take(true), ada) << "what waits for nobody puts off none of these";
  EXPECT_EQ(take(true), bob);
}

TEST_F(WaitedForJobs, ShareTheKeysOfTheirOwner) {
  const std::string id = add("ada", "k", false).id;
  EXPECT_EQ(add("ada", "k", true).id, id);
  EXPECT_TRUE(store_->check("ada", "k", {.is_draining = true}));
}

TEST_F(WaitedForJobs, AreForgottenInTime) {
  const std::string id = live(false);
  test_time += settings_.keep_s;
  EXPECT_EQ(store_->remove_expired().value(), 1);
  EXPECT_FALSE(store_->find(id, "ada").value());
  EXPECT_TRUE(store_->segments(id, 0, 10).value().empty());
}

TEST_F(WaitedForJobs, AreForgottenAfterADayWhereOthersAreKept) {
  settings_.keep_s = 0;
  reopen();
  const std::string other = add("ada").id;
  ASSERT_TRUE(store_->cancel(other, "ada").value());
  const std::string id = live(false);
  test_time += 24 * 3600 - 1;
  EXPECT_EQ(store_->remove_expired().value(), 0);
  test_time += 1;
  EXPECT_EQ(store_->remove_expired().value(), 1);
  EXPECT_FALSE(store_->find(id, "ada").value());
  EXPECT_TRUE(store_->find(other, "ada").value());
}

}  // namespace
}  // namespace server
