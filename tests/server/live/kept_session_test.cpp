#include "server/live/kept_session.h"

#include <string>
#include <vector>

#include "tests/server/live/driver_fixture.h"

namespace server {
namespace {

using test::sound_of;

class KeptSessionTest : public test::DriverFixture {
 protected:
  std::string keep(AdapterDriver& driver) {
    driver.receive_text("keep");
    const std::string told = wait_for(driver, "kept");
    test::run(io, room_of(driver));
    return told.empty() ? "" : told.substr(5);
  }
  static asio::awaitable<bool> room_of(AdapterDriver& driver) {
    co_await driver.room();
    co_return true;
  }

  std::optional<Job> find(const std::string& id) {
    return test::run(io, jobs.find(id, "ada")).value();
  }
  Job ended_job(const std::string& id) {
    std::optional<Job> job;
    do {
      job = find(id);
    } while (job && !has_ended(job->state));
    return job.value();
  }
  std::string text_of(const std::string& id) {
    return test::run(io, jobs.transcript(*find(id))).value().transcript.text;
  }
};

TEST_F(KeptSessionTest, CountsOnceAmongJobsAndAsSoundOfTheDay) {
  jobs.set_limits({.of_owner = {{"ada", {.open_jobs = 1, .sound_seconds_per_day = 100}}}});
  const auto driver = connect();
  driver->receive_text("open");
  const std::string id = keep(*driver);
  ASSERT_NE(id, "");
  EXPECT_EQ(test::run(io, jobs.use_of("ada")).value().open_jobs, 1);
  for (int i = 0; i < 3; ++i) driver->receive_bytes(sound_of(2));
  driver->receive_text("commit");
  wait_for(*driver, "turn");
  const auto meanwhile = test::run(io, jobs.use_of("ada")).value();
  EXPECT_EQ(meanwhile.held_seconds, 0) << "what the job has is not held besides";
  driver->receive_text("finish");
  wait_for(*driver, "end");
  EXPECT_EQ(ended_job(id).duration, 6);
  EXPECT_EQ(test::run(io, jobs.use_of("ada")).value().sound_seconds, 6);
  EXPECT_EQ(test::run(io, jobs.use_of("ada")).value().open_jobs, 0);
}

TEST_F(KeptSessionTest, IsAJobWithTitleModelAndText) {
  const auto driver = connect();
  const std::string id = keep(*driver);
  const Job begun = find(id).value();
  EXPECT_EQ(begun.state, JobState::running);
  EXPECT_EQ(begun.request.title, "Talk");
  EXPECT_EQ(begun.request.model, "base");
  EXPECT_EQ(begun.request.owner, "ada");
  driver->receive_text("open");
  driver->receive_bytes(sound_of(2));
  driver->receive_text("commit");
  wait_for(*driver, "turn");
  driver->receive_bytes(sound_of(1));
  driver->receive_text("finish");
  EXPECT_EQ(wait_for(*driver, "end"), "end");
  const Job job = ended_job(id);
  EXPECT_EQ(job.state, JobState::done);
  EXPECT_EQ(job.segments, 2);
  EXPECT_EQ(job.duration, 3);
  EXPECT_EQ(text_of(id), " w1 w2 w1");
  EXPECT_EQ(sounds.find(id), (KeptSound{3 * sound_bytes_per_second, true}));
  EXPECT_EQ(test::run(io, jobs.segments(id, 1, 1)).value().at(0).start, 2);
}

TEST_F(KeptSessionTest, BeginsWhereItIsAskedFor) {
  const auto driver = connect();
  driver->receive_text("open");
  driver->receive_bytes(sound_of(2));
  driver->receive_text("commit");
  wait_for(*driver, "turn");
  const std::string id = keep(*driver);
  driver->receive_bytes(sound_of(1));
  driver->receive_text("finish");
  wait_for(*driver, "end");
  EXPECT_EQ(ended_job(id).duration, 1);
  EXPECT_EQ(text_of(id), " w1");
}

TEST_F(KeptSessionTest, HasItsSoundWhileItGoesOn) {
  const auto driver = connect();
  const std::string id = keep(*driver);
  driver->receive_text("open");
  driver->receive_bytes(sound_of(1));
  EXPECT_EQ(sounds.find(id), (KeptSound{sound_bytes_per_second, false}));
}

TEST_F(KeptSessionTest, HasNoSoundWhereTheServerKeepsNone) {
  services.keeps_audio = false;
  auto driver = connect();
  const std::string id = keep(*driver);
  driver->receive_text("open");
  driver->receive_bytes(sound_of(1));
  driver.reset();
  EXPECT_EQ(ended_job(id).duration, 1);
  EXPECT_FALSE(sounds.find(id));
}

TEST_F(KeptSessionTest, EndsWhereThereIsNoRoomForMoreSound) {
  sounds = SoundStore::open(folder / "few", {.room = std::make_shared<DiskRoom>(DiskRoom::Limits{
                                                 .total = 2 * sound_bytes_per_second})})
               .value();
  const auto driver = connect();
  const std::string id = keep(*driver);
  driver->receive_text("open");
  driver->receive_bytes(sound_of(1));
  driver->receive_text("commit");
  wait_for(*driver, "turn");
  driver->receive_bytes(sound_of(2));
  EXPECT_NE(wait_for(*driver, "not kept"), "");
  const Job job = ended_job(id);
  EXPECT_EQ(job.state, JobState::done);
  ASSERT_EQ(job.summary.warnings.size(), 1U);
  EXPECT_EQ(text_of(id), " w1");
  driver->receive_text("finish");
  EXPECT_EQ(wait_for(*driver, "end"), "end") << "the session itself goes on";
}

TEST_F(KeptSessionTest, OfAClientThatIsGoneIsFinished) {
  auto driver = connect();
  const std::string id = keep(*driver);
  driver->receive_text("open");
  driver->receive_bytes(sound_of(2));
  driver.reset();
  EXPECT_EQ(ended_job(id).state, JobState::done);
  EXPECT_EQ(text_of(id), " w1 w2");
  let_all_end();
}

TEST_F(KeptSessionTest, WithoutSoundIsNoJob) {
  auto driver = connect();
  const std::string id = keep(*driver);
  driver.reset();
  while (find(id)) {
  }
  EXPECT_EQ(jobs.running(), 0);
}

TEST_F(KeptSessionTest, GoesOnBehindAFailure) {
  auto driver = connect();
  const std::string id = keep(*driver);
  driver->receive_text("open fake:die_after:1");
  driver->receive_bytes(sound_of(2));
  driver->receive_text("commit");
  EXPECT_EQ(wait_for(*driver, "failed"), "failed worker_died");
  driver->receive_bytes(sound_of(1));
  driver.reset();
  const Job job = ended_job(id);
  EXPECT_EQ(job.state, JobState::done);
  EXPECT_EQ(job.duration, 3);
  EXPECT_EQ(test::run(io, jobs.segments(id, 0, 9)).value().back().start, 2);
}

TEST_F(KeptSessionTest, ThatIsStoppedAsAJobKeepsNothingMore) {
  const auto driver = connect();
  const std::string id = keep(*driver);
  driver->receive_text("open");
  driver->receive_bytes(sound_of(1));
  driver->receive_text("commit");
  wait_for(*driver, "turn");
  EXPECT_TRUE(test::run(io, jobs.cancel(id)).value());
  EXPECT_EQ(wait_for(*driver, "not kept"), "not kept: cancelled");
  driver->receive_bytes(sound_of(1));
  driver->receive_text("finish");
  EXPECT_EQ(wait_for(*driver, "end"), "end") << "the session itself goes on";
  EXPECT_EQ(find(id).value().state, JobState::cancelled);
}

TEST_F(KeptSessionTest, IsRefusedAtTheEndOfTheServer) {
  jobs.drain();
  const auto driver = connect();
  driver->receive_text("keep");
  EXPECT_EQ(wait_for(*driver, "not kept"), "not kept: draining");
}

TEST_F(KeptSessionTest, IsDoneBeforeTheServerEnds) {
  const auto driver = connect();
  const std::string id = keep(*driver);
  driver->receive_text("open");
  driver->receive_bytes(sound_of(2));
  live.begin_stop();
  EXPECT_EQ(ended_job(id).state, JobState::done);
  EXPECT_EQ(text_of(id), " w1 w2");
}

}  // namespace
}  // namespace server
