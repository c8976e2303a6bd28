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
template <class UnderTest>
class JobSliceTest : public test::StoreCases<UnderTest> {
 protected:
  void SetUp() override {
    test::StoreCases<UnderTest>::SetUp();
    if (this->IsSkipped()) return;
    done_ = add_titled("Minutes.wav", "base");
    this->take();
    say(done_, " Grüße an Ada.");
    this->store_->finish(this->held(done_), {.summary = {.language = "de"}}).value();
    runs_ = add_titled("call.wav", "tiny");
    this->take();
    say(runs_, " The minutes are late.");
    waits_ = add_titled("talk.wav", "base");
    client_waits_ = this->add("ada", "", false).id;
    this->add("bob");
  }
  std::string add_titled(const std::string& title, const std::string& model) {
    return this->submit({.model = model, .title = title, .owner = "ada"}).value().id;
  }
  void say(const std::string& id, const std::string& text) {
    auto said = segment(0);
    said.text = text;
    ASSERT_TRUE(this->store_->add_segments(this->held(id), std::vector{said}));
  }
  std::vector<std::string> ids(const JobFilter& filter) {
    std::vector<std::string> found;
    for (const auto& job : this->store_->slice("ada", filter, {}, 100).value().jobs) {
      found.push_back(job.id);
    }
    return found;
  }

  std::string done_, runs_, waits_, client_waits_;
};
TYPED_TEST_SUITE(JobSliceTest, test::StoresUnderTest);

using Ids = std::vector<std::string>;

TYPED_TEST(JobSliceTest, WithoutAFilterAllPassTheNewestFirst) {
  EXPECT_EQ(this->ids({}), (Ids{this->client_waits_, this->waits_, this->runs_, this->done_}));
}

TYPED_TEST(JobSliceTest, AFilterLetsThroughWhatHasAllOfIt) {
  EXPECT_EQ(this->ids({.states = {JobState::queued}}), (Ids{this->client_waits_, this->waits_}));
  EXPECT_EQ(this->ids({.states = {JobState::running, JobState::done}}),
            (Ids{this->runs_, this->done_}));
  EXPECT_EQ(this->ids({.model = "tiny"}), Ids{this->runs_});
  EXPECT_EQ(this->ids({.language = "de"}), Ids{this->done_});
  EXPECT_EQ(this->ids({.states = {JobState::queued}, .model = "tiny"}), Ids{});
}

TYPED_TEST(JobSliceTest, ATextIsLookedForInTitlesAndInWhatWasSaid) {
  EXPECT_EQ(this->ids({.texts = {"mINUTES"}}), (Ids{this->runs_, this->done_}));
  EXPECT_EQ(this->ids({.texts = {"Grüße"}}), Ids{this->done_});
  EXPECT_EQ(this->ids({.texts = {"%"}}), Ids{}) << "no pattern";
  EXPECT_EQ(this->ids({.texts = {"base"}}), Ids{}) << "no other field";
}

TYPED_TEST(JobSliceTest, ATextIsLookedForInTheNamesOfSpeakers) {
  auto first = segment(1), second = segment(2), third = segment(3);
  first.speaker = "Marie Curie";
  second.speaker = "B";
  third.speaker = "Pierre";
  ASSERT_TRUE(
      this->store_->add_segments(this->held(this->runs_), std::vector{first, second, third}));
  EXPECT_EQ(this->ids({.texts = {"curie"}}), Ids{this->runs_});
  EXPECT_EQ(this->ids({.texts = {"pierre"}}), Ids{this->runs_});
  EXPECT_EQ(this->ids({.texts = {"b"}}), Ids{}) << "a label";
  ASSERT_TRUE(this->store_->set_speaker_names(this->runs_, {{"Pierre", "Irene"}}));
  EXPECT_EQ(this->ids({.texts = {"irene"}}), Ids{this->runs_});
  EXPECT_EQ(this->ids({.texts = {"pierre"}}), Ids{}) << "nobody has this name any more";
}

TYPED_TEST(JobSliceTest, ASliceSaysWhereToGoOn) {
  const auto first = this->store_->slice("ada", {.model = "tiny"}, {}, 2).value();
  EXPECT_TRUE(first.jobs.empty());
  ASSERT_TRUE(first.end);
  const auto second = this->store_->slice("ada", {.model = "tiny"}, *first.end, 2).value();
  ASSERT_EQ(second.jobs.size(), 1U);
  EXPECT_EQ(second.jobs[0].id, this->runs_);
  ASSERT_TRUE(second.end);
  const auto third = this->store_->slice("ada", {}, *second.end, 2).value();
  EXPECT_TRUE(third.jobs.empty());
  EXPECT_FALSE(third.end);
  const auto behind = this->store_->slice("ada", {}, {.id = this->runs_}, 2).value();
  ASSERT_EQ(behind.jobs.size(), 1U);
  EXPECT_EQ(behind.jobs[0].id, this->done_);
}

TYPED_TEST(JobSliceTest, AJobOfAnotherIsNoPlaceToGoOnFrom) {
  EXPECT_EQ(this->store_->slice("bob", {}, {.id = this->runs_}, 2).error().code, errc::usage);
}

}  // namespace
}  // namespace server
