#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "server/jobs/job_store.h"
#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using test::segment;

// Four jobs: one that has ended with a text, one that runs with a text, one that waits, and one in
// memory. Of another owner there is one more.
class JobSliceTest : public test::JobStoreTest {
 protected:
  JobSliceTest() {
    done_ = add_titled("Minutes.wav", "base");
    take();
    say(done_, " Grüße an Ada.");
    store_->finish(held(done_), {.summary = {.language = "de"}}).value();
    runs_ = add_titled("call.wav", "tiny");
    take();
    say(runs_, " The minutes are late.");
    waits_ = add_titled("talk.wav", "base");
    client_waits_ = add("ada", "", false).id;
    add("bob");
  }
  std::string add_titled(const std::string& title, const std::string& model) {
    return submit({.model = model, .title = title, .owner = "ada"}).value().id;
  }
  void say(const std::string& id, const std::string& text) {
    auto said = segment(0);
    said.text = text;
    ASSERT_TRUE(store_->add_segments(held(id), std::vector{said}));
  }
  std::vector<std::string> ids(const JobFilter& filter) {
    std::vector<std::string> found;
    for (const auto& job : store_->slice("ada", filter, {}, 100).value().jobs) {
      found.push_back(job.id);
    }
    return found;
  }

  std::string done_, runs_, waits_, client_waits_;
};

using Ids = std::vector<std::string>;

TEST_F(JobSliceTest, WithoutAFilterAllPassTheNewestFirst) {
  EXPECT_EQ(ids({}), (Ids{client_waits_, waits_, runs_, done_}));
}

TEST_F(JobSliceTest, AFilterLetsThroughWhatHasAllOfIt) {
  EXPECT_EQ(ids({.states = {JobState::queued}}), (Ids{client_waits_, waits_}));
  EXPECT_EQ(ids({.states = {JobState::running, JobState::done}}), (Ids{runs_, done_}));
  EXPECT_EQ(ids({.model = "tiny"}), Ids{runs_});
  EXPECT_EQ(ids({.language = "de"}), Ids{done_});
  EXPECT_EQ(ids({.states = {JobState::queued}, .model = "tiny"}), Ids{});
}

TEST_F(JobSliceTest, ATextIsLookedForInTitlesAndInWhatWasSaid) {
  EXPECT_EQ(ids({.texts = {"mINUTES"}}), (Ids{runs_, done_}));
  EXPECT_EQ(ids({.texts = {"Grüße"}}), Ids{done_});
  EXPECT_EQ(ids({.texts = {"%"}}), Ids{}) << "no pattern";
  EXPECT_EQ(ids({.texts = {"base"}}), Ids{}) << "no other field";
}

TEST_F(JobSliceTest, ATextIsLookedForInTheNamesOfSpeakers) {
  auto first = segment(1), second = segment(2), third = segment(3);
  first.speaker = "Marie Curie";
  second.speaker = "B";
  third.speaker = "Pierre";
  ASSERT_TRUE(store_->add_segments(held(runs_), std::vector{first, second, third}));
  EXPECT_EQ(ids({.texts = {"curie"}}), Ids{runs_});
  EXPECT_EQ(ids({.texts = {"pierre"}}), Ids{runs_});
  EXPECT_EQ(ids({.texts = {"b"}}), Ids{}) << "a label";
  ASSERT_TRUE(store_->set_speaker_names(runs_, {{"Pierre", "Irene"}}));
  EXPECT_EQ(ids({.texts = {"irene"}}), Ids{runs_});
  EXPECT_EQ(ids({.texts = {"pierre"}}), Ids{}) << "nobody has this name any more";
}

TEST_F(JobSliceTest, ASliceSaysWhereToGoOn) {
  const auto first = store_->slice("ada", {.model = "tiny"}, {}, 2).value();
  EXPECT_TRUE(first.jobs.empty());
  ASSERT_TRUE(first.end);
  const auto second = store_->slice("ada", {.model = "tiny"}, *first.end, 2).value();
  ASSERT_EQ(second.jobs.size(), 1U);
  EXPECT_EQ(second.jobs[0].id, runs_);
  ASSERT_TRUE(second.end);
  const auto third = store_->slice("ada", {}, *second.end, 2).value();
  EXPECT_TRUE(third.jobs.empty());
  EXPECT_FALSE(third.end);
  const auto behind = store_->slice("ada", {}, {.id = runs_}, 2).value();
  ASSERT_EQ(behind.jobs.size(), 1U);
  EXPECT_EQ(behind.jobs[0].id, done_);
}

TEST_F(JobSliceTest, AJobOfAnotherIsNoPlaceToGoOnFrom) {
  EXPECT_EQ(store_->slice("bob", {}, {.id = runs_}, 2).error().code, errc::usage);
}

}  // namespace
}  // namespace server
