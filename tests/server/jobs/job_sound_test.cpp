#include "server/jobs/job_sound.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <vector>

#include "server/base/random_id.h"
#include "server/jobs/job_queue.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class JobSoundTest : public ::testing::Test {
 protected:
  static Job job_of(JobRequest request) {
    Job job;
    job.id = random_id();
    job.request = std::move(request);
    job.request.owner = "ada";
    return job;
  }

  test::TemporaryFolder root_{};
  SoundStore sounds_ = SoundStore::open(root_ / "sounds").value();
};

TEST_F(JobSoundTest, IsWrittenByTheDecoder) {
  EXPECT_TRUE(begin_job_sound(sounds_, job_of({})));
}

TEST_F(JobSoundTest, IsNotKeptWhereNobodyFindsItLater) {
  EXPECT_FALSE(begin_job_sound(sounds_, job_of({.detached = false})));
  JobRequest language{};
  language.options.language_only = true;
  EXPECT_FALSE(begin_job_sound(sounds_, job_of(language)));
  EXPECT_TRUE(sounds_.jobs().empty());
}

TEST_F(JobSoundTest, IsWrittenUntilItIsWhole) {
  const Job job = job_of({});
  {
    auto writer = begin_job_sound(sounds_, job);
    const std::vector<std::int16_t> samples(100);
    writer->write(samples).value();
  }
  auto again = begin_job_sound(sounds_, job);
  ASSERT_TRUE(again);
  again->finish();
  EXPECT_FALSE(begin_job_sound(sounds_, job));
}

TEST_F(JobSoundTest, OfARecordingThatIsSuchSoundIsTheRecording) {
  const auto file = root_ / random_id();
  test::write_text(file, std::string(64'000, 'x'));
  JobRequest request{.input = file, .input_is_ours = true};
  request.decoder.input_format = "s16le";
  const Job job = job_of(request);
  EXPECT_FALSE(begin_job_sound(sounds_, job));
  EXPECT_EQ(sounds_.find(job.id), (KeptSound{.bytes = 64'000, .is_whole = true}));
  EXPECT_FALSE(begin_job_sound(sounds_, job)) << "as in the next attempt";
  request.decoder.input_sample_rate = 8000;
  EXPECT_TRUE(begin_job_sound(sounds_, job_of(request)));
  request.decoder.input_sample_rate = {};
  request.input_is_ours = false;
  EXPECT_TRUE(begin_job_sound(sounds_, job_of(request))) << "a path that others may change";
}

TEST_F(JobSoundTest, GoesWhenItsJobIsRemovedOrHasExpired) {
  asio::io_context io;
  std::vector<std::string> removed;
  auto store = open_job_store({.file = root_ / "jobs.sqlite"}).value();
  JobQueue queue(io.get_executor(), std::move(store),
                 {.find_sound = [](const std::string&) { return KeptSound{.bytes = 32'000}; },
                  .remove_sound = [&](const std::string& id) { removed.push_back(id); }});
  const auto submit = [&] {
    return test::run(io, queue.submit({.model = "base", .owner = "ada"})).value();
  };
  const Job deleted = submit(), kept = submit();
  EXPECT_EQ(kept.sound->seconds(), 1);
  ASSERT_TRUE(test::run(io, queue.remove(deleted.id)));
  EXPECT_EQ(removed, std::vector{deleted.id});
  const std::string expired = random_id();
  ASSERT_TRUE(test::run(io, queue.remove_sounds_without_job({kept.id, expired})));
  EXPECT_EQ(removed, (std::vector{deleted.id, expired}));
}

}  // namespace
}  // namespace server
