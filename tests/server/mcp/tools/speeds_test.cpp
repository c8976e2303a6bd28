#include "server/mcp/tools/speeds.h"

#include <gtest/gtest.h>

namespace server {
namespace {

Job job_of(const std::string& model, const std::string& device, double sound_s, double work_s) {
  Job job{.state = JobState::done, .attempts = 1};
  job.summary.model = model;
  job.summary.device = device;
  job.summary.duration = sound_s;
  job.summary.timings.transcribe_s = work_s;
  return job;
}

TEST(Speeds, AreSumsOfEachModelAndDeviceTheNewestFirst) {
  const auto speeds = speeds_of({job_of("small", "cpu", 30, 10), job_of("base", "cpu", 100, 10),
                                 job_of("base", "cuda:0", 100, 1), job_of("base", "cpu", 20, 10)});
  ASSERT_EQ(speeds.size(), 3u);
  EXPECT_EQ(speeds[0].model, "small");
  EXPECT_DOUBLE_EQ(speeds[1].speed, 6);  // 120 s of sound in 20 s, not the mean of 10 and 2
  EXPECT_EQ(speeds[1].jobs, 2);
  EXPECT_EQ(speeds[2].device, "cuda:0");
}

TEST(Speeds, AreOfWhatWasTranscribedWholeAndAtOnce) {
  const Job whole = job_of("a", "cpu", 10, 1);
  Job failed = whole, again = whole, part = whole, detection = whole;
  failed.state = JobState::failed;
  again.attempts = 2;
  part.request.options.clip_timestamps = {0, 30};
  detection.request.options.language_only = true;
  for (const Job& job : {failed, again, part, detection, job_of("a", "cpu", 10, 0)}) {
    EXPECT_TRUE(speeds_of({job}).empty());
  }
  EXPECT_EQ(speeds_of({whole, part}).size(), 1U);
}

TEST(Speeds, AreToldAsASentence) {
  EXPECT_EQ(text_of(Speed{"base", "cpu", 12.34, 1}),
            "base on cpu: 12.3 seconds of sound per second of work (your last job).\n");
  EXPECT_EQ(text_of(Speed{"base", "cpu", 2, 3}),
            "base on cpu: 2.0 seconds of sound per second of work (your last 3 jobs).\n");
}

}  // namespace
}  // namespace server
