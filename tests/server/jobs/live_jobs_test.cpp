// Jobs that are live sessions: whoever has their sound writes them, and no runner takes them.

#include <boost/asio/io_context.hpp>

#include "server/jobs/job_queue.h"
#include "tests/server/jobs/job_store_fixture.h"
#include "tests/server/run_coroutine.h"

namespace server {
namespace {

using test::segment;
using test::test_time;

class LiveJobs : public test::JobStoreTest {
 protected:
  static JobRequest live_request() {
    return {.model = "base", .title = "Talk", .owner = "ada", .live = true};
  }
  std::string begin() { return submit(live_request()).value().id; }
};

TEST_F(LiveJobs, RunFromTheirBeginAndAreTakenByNobody) {
  const std::string id = begin();
  const Job job = find(id);
  EXPECT_EQ(job.state, JobState::running);
  EXPECT_EQ(job.attempts, 1);
  EXPECT_EQ(job.started, test_time);
  EXPECT_TRUE(job.request.live);
  EXPECT_EQ(take(), "");
  const protocol::Segment one[] = {segment(0)};
  ASSERT_TRUE(store_->add_segments(held(id), one));
  ASSERT_TRUE(store_->set_progress(held(id), 2, 3, "en"));
  ASSERT_TRUE(store_->finish(held(id), {JobState::done}));
  EXPECT_EQ(find(id).state, JobState::done);
  EXPECT_EQ(find(id).segments, 1);
}

TEST_F(LiveJobs, AreDoneWithWhatTheyHaveWhereTheProcessEnded) {
  const std::string id = begin();
  const protocol::Segment one[] = {segment(0)};
  ASSERT_TRUE(store_->add_segments(held(id), one));
  ASSERT_TRUE(store_->set_progress(held(id), 2, 3, "en"));
  reopen();
  EXPECT_EQ(store_->recover().value(), 0);
  const Job job = find(id);
  EXPECT_EQ(job.state, JobState::done);
  EXPECT_FALSE(job.error);
  EXPECT_EQ(job.finished, test_time);
  EXPECT_EQ(job.expires, test_time + settings_.keep_s);
  const auto transcript = transcript_of(job, store_->segments(id, 0, 10).value());
  EXPECT_EQ(transcript.text, " Wort.");
  EXPECT_EQ(transcript.language, "en");
  EXPECT_EQ(transcript.duration, 3);
  EXPECT_EQ(take(), "");
}

TEST_F(LiveJobs, ThatArePinnedDoNotExpireAfterACrash) {
  const std::string id = begin();
  ASSERT_TRUE(store_->change(id, "ada", {.pinned = true}));
  reopen();
  ASSERT_TRUE(store_->recover());
  EXPECT_EQ(find(id).expires, 0);
}

TEST_F(LiveJobs, TakeNoPlaceOfTheirOwnersOtherJobs) {
  begin();
  const std::string first = add().id, second = add().id;
  EXPECT_EQ(store_->waiting().value(), (std::vector{first, second}));
  EXPECT_EQ(take(false, 1), first);
  EXPECT_EQ(take(false, 1), "");
}

class LiveJobQueue : public LiveJobs {
 protected:
  template <class T>
  T run(asio::awaitable<T> work) {
    return test::run(io_, std::move(work));
  }
  void make(JobLimits limits) {
    queue_ = std::make_unique<JobQueue>(io_.get_executor(), std::move(store_),
                                        JobQueue::Settings{.limits = std::move(limits)});
  }

  asio::io_context io_;
  std::unique_ptr<JobQueue> queue_;
};

TEST_F(LiveJobQueue, AreBegunWhereTheQueueIsFull) {
  make({.max_waiting = 0, .max_waiting_per_owner = 0});
  const auto job = run(queue_->submit(live_request()));
  ASSERT_TRUE(job);
  EXPECT_EQ(queue_->running(), 1);
}

TEST_F(LiveJobQueue, AreCountedAsSessionsAndRefusedAtTheEnd) {
  make({.of_owner = {{"ada", {.open_jobs = 1, .sound_seconds_per_day = 60}}}});
  const Job job = run(queue_->submit(live_request())).value();
  ASSERT_TRUE(run(queue_->set_progress(claim_of(job), {.position = 50, .duration = 50}, "en")));
  EXPECT_EQ(run(queue_->use_of("ada"))->open_jobs, 0);
  EXPECT_EQ(run(queue_->use_of("ada"))->held_seconds, 0);
  JobEnd end;
  end.summary.duration = 50;
  ASSERT_TRUE(run(queue_->finish(claim_of(job), std::move(end))));
  EXPECT_EQ(run(queue_->use_of("ada"))->sound_seconds, 0) << "whoever has the sound counts it";
  queue_->drain();
  EXPECT_EQ(run(queue_->submit(live_request())).error().code, "draining");
}

TEST_F(LiveJobQueue, SessionsTakeThePlacesOfJobs) {
  make({.of_owner = {{"ada", {.open_jobs = 2}}}});
  std::size_t sessions = 1;
  queue_->count_live_by([&](const std::string& owner) { return owner == "ada" ? sessions : 0; });
  EXPECT_TRUE(run(queue_->check_live("ada")));
  ASSERT_TRUE(run(queue_->submit({.owner = "ada"})));
  EXPECT_TRUE(run(queue_->check_live("ada"))) << "it is counted already";
  EXPECT_EQ(run(queue_->submit({.owner = "ada"})).error().code, "too_many_jobs");
  EXPECT_EQ(run(queue_->check("ada", "")).error().code, "too_many_jobs");
  EXPECT_EQ(run(queue_->use_of("ada"))->open_jobs, 2);
  sessions = 2;
  EXPECT_EQ(run(queue_->check_live("ada")).error().code, "too_many_jobs");
  EXPECT_TRUE(run(queue_->submit({.owner = "bob"})));
}

TEST_F(LiveJobQueue, SoundOfSessionsIsSoundOfTheDay) {
  make({.of_owner = {{"ada", {.sound_seconds_per_day = 60}}}});
  EXPECT_EQ(run(queue_->check_live("ada")).value(), 60);
  EXPECT_EQ(run(queue_->add_live_sound("ada", 40)).value(), 20);
  EXPECT_EQ(run(queue_->use_of("ada"))->sound_seconds, 40);
  EXPECT_EQ(run(queue_->add_live_sound("ada", 20)).value(), 0);
  EXPECT_EQ(run(queue_->check_live("ada")).error().code, "too_much_sound");
  EXPECT_EQ(run(queue_->submit({.owner = "ada"})).error().code, "too_much_sound");
  EXPECT_TRUE(run(queue_->check_live("bob")));
}

TEST_F(LiveJobQueue, TellWhoeverHasTheirSoundThatTheyAreCancelled) {
  make({});
  const Job job = run(queue_->submit(live_request())).value();
  bool is_stopped = false;
  ASSERT_TRUE(queue_->on_cancel(claim_of(job), [&] { is_stopped = true; }));
  EXPECT_TRUE(run(queue_->cancel(job.id)).value());
  EXPECT_TRUE(is_stopped);
}

}  // namespace
}  // namespace server
