#include "server/jobs/job_store.h"

#include "tests/server/jobs/job_store_fixture.h"

namespace server {
namespace {

using test::segment;

template <class UnderTest>
class JobStoreTest : public test::StoreCases<UnderTest> {};
TYPED_TEST_SUITE(JobStoreTest, test::StoresUnderTest);

TYPED_TEST(JobStoreTest, KeepsAJobAsItWasAccepted) {
  const Job added = this->add();
  this->reopen();
  const Job job = this->find(added.id);
  EXPECT_EQ(job.state, JobState::queued);
  EXPECT_EQ(job.created, 1000);
  EXPECT_EQ(job.request.model, "base");
  EXPECT_EQ(job.request.options.language, "de");
  EXPECT_EQ(job.request.decoder.track, "2");
  EXPECT_FALSE(job.request.decoder.channel);
}

TYPED_TEST(JobStoreTest, IsForItsOwnerAlone) {
  const Job job = this->add("ada");
  EXPECT_FALSE(this->store_->find(job.id, "bob").value());
  EXPECT_TRUE(this->store_->list("bob", 10, "").value().empty());
  EXPECT_EQ(this->store_->list("ada", 10, "").value().size(), 1u);
}

TYPED_TEST(JobStoreTest, TheSameKeyOfTheSameOwnerIsTheSameJob) {
  const Job first = this->add("ada", "k");
  EXPECT_EQ(this->add("ada", "k").id, first.id);
  EXPECT_NE(this->add("bob", "k").id, first.id);
  EXPECT_NE(this->add("ada", "").id, this->add("ada", "").id);
}

TYPED_TEST(JobStoreTest, ListsTheNewestFirstInPages) {
  const std::string a = this->add().id, b = this->add().id, c = this->add().id;
  const auto page = this->store_->list("ada", 2, "").value();
  ASSERT_EQ(page.size(), 2u);
  EXPECT_EQ(page[0].id, c);
  EXPECT_EQ(page[1].id, b);
  const auto rest = this->store_->list("ada", 2, b).value();
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].id, a);
  EXPECT_EQ(this->store_->list("ada", 2, "gone").error().code, errc::usage);
  EXPECT_EQ(this->store_->list("bob", 2, b).error().code, errc::usage);
}

TYPED_TEST(JobStoreTest, SegmentsOutliveTheProcess) {
  const std::string id = this->add().id;
  this->take();
  const protocol::Segment two[] = {segment(0), segment(1)};
  ASSERT_TRUE(this->store_->add_segments(this->held(id), two));
  const protocol::Segment third[] = {segment(2)};
  ASSERT_TRUE(this->store_->add_segments(this->held(id), third));
  ASSERT_TRUE(this->store_->set_progress(this->held(id), 6, 9, "de"));
  this->reopen();
  const Job job = this->find(id);
  EXPECT_EQ(job.segments, 3);
  EXPECT_EQ(job.position, 6);
  const auto page = this->store_->segments(id, 1, 1).value();
  ASSERT_EQ(page.size(), 1u);
  EXPECT_EQ(page[0], segment(1));
}

// Segments of an earlier process are named and cut like those that came later.
TYPED_TEST(JobStoreTest, NamesTheSpeakersOfAllSegmentsWhenAJobEnds) {
  const std::string id = this->add().id;
  this->take();
  protocol::Segment first = segment(0);
  first.text = " Ja. Nein.";
  first.words = {{0, 1, " Ja.", 1, 1}, {1, 2, " Nein.", 1, 1}};
  ASSERT_TRUE(this->store_->add_segments(this->held(id), std::vector{first}));
  this->reopen();
  ASSERT_TRUE(this->store_->recover());
  this->take();
  ASSERT_TRUE(this->store_->add_segments(this->held(id), std::vector{segment(1)}));
  JobEnd end;
  end.summary.turns = end.exclusive_turns = {{0, 1, "A"}, {1, 4, "B"}};
  EXPECT_EQ(this->store_->finish(this->held(id), end)->segments, 3);
  this->reopen();
  EXPECT_EQ(this->find(id).segments, 3);
  const auto named = this->store_->segments(id, 0, 10).value();
  ASSERT_EQ(named.size(), 3u);
  EXPECT_EQ(named[0].text + "|" + named[1].text, " Ja.| Nein.");
  EXPECT_EQ(named[0].speaker + named[1].speaker + named[2].speaker, "ABB");
  EXPECT_EQ(named[1].tokens, std::vector{2});
  EXPECT_EQ(named[2].id, 2);
}

TYPED_TEST(JobStoreTest, PositionAndDurationNeverGoBackAndSegmentsDoNotMoveThem) {
  const std::string id = this->add().id;
  this->take();
  ASSERT_TRUE(this->store_->set_progress(this->held(id), 6, 9, "de"));
  ASSERT_TRUE(this->store_->set_progress(this->held(id), 5, 0, "de"));
  const protocol::Segment later[] = {segment(4)};
  ASSERT_TRUE(this->store_->add_segments(this->held(id), later));
  EXPECT_EQ(this->find(id).position, 6);
  EXPECT_EQ(this->find(id).duration, 9);
}

TYPED_TEST(JobStoreTest, EndsOnce) {
  const std::string id = this->add().id;
  this->take();
  const JobEnd failed{JobState::failed, Error{"worker_died", "it died", "try again"}};
  const Claim claim = this->held(id);
  const auto ended = this->store_->finish(claim, failed);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->state, JobState::failed);
  EXPECT_EQ(this->store_->finish(claim, {JobState::done}).error().code, errc::claim_lost);
  const Job job = this->find(id);
  EXPECT_EQ(job.state, JobState::failed);
  EXPECT_EQ(job.error, failed.error);
  EXPECT_EQ(job.finished, 1000);
}

TYPED_TEST(JobStoreTest, AWaitingJobCanBeCancelled) {
  const std::string id = this->add().id;
  EXPECT_EQ(this->store_->cancel(id, "ada").value()->state, JobState::cancelled);
  EXPECT_FALSE(this->store_->cancel(id, "ada").value()) << "once";
  EXPECT_EQ(this->take(), "");
}

TYPED_TEST(JobStoreTest, AKeyBelongsToOneRequest) {
  const auto send = [this](const char* fingerprint) {
    JobRequest request{.input = "/a.wav", .owner = "ada", .idempotency_key = "k"};
    request.fingerprint = fingerprint;
    return this->submit(std::move(request));
  };
  const std::string id = send("one").value().id;
  EXPECT_EQ(send("one").value().id, id);
  const auto other = send("two");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, errc::key_reused);
}

TYPED_TEST(JobStoreTest, ARemovedJobIsGoneWithItsText) {
  const std::string id = this->add().id;
  this->take();
  const protocol::Segment one[] = {segment(0)};
  ASSERT_TRUE(this->store_->add_segments(this->held(id), one));
  ASSERT_TRUE(this->store_->remove(id));
  EXPECT_FALSE(this->store_->find(id, "ada").value());
  EXPECT_TRUE(this->store_->segments(id, 0, 10).value().empty());
}

TYPED_TEST(JobStoreTest, AnOrderlyStopIsNoAttempt) {
  const std::string id = this->add().id;
  this->take();
  ASSERT_TRUE(this->store_->requeue(this->held(id), false));
  EXPECT_EQ(this->find(id).attempts, 0);
  this->take();
  ASSERT_TRUE(this->store_->requeue(this->held(id), true));
  EXPECT_EQ(this->find(id).attempts, 1);
}

}  // namespace
}  // namespace server
