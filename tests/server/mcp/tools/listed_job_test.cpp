#include "server/mcp/tools/listed_job.h"

#include <gtest/gtest.h>

#include <set>

namespace server {
namespace {

Job job_called(const std::string& title, JobState state) {
  Job job{.id = "one", .state = state};
  job.request.title = title;
  return job;
}

TEST(ListedJob, SaysHowFarAJobIsThatHasNotEnded) {
  Job job = job_called("talk.mp3", JobState::queued);
  job.progress.queue_place = 3;
  EXPECT_EQ(text_of(job), "one queued \"talk.mp3\" (queued, position 3)\n");
  EXPECT_EQ(json_of(job)["queue_place"], 3);
  job = job_called("talk.mp3", JobState::done);
  EXPECT_EQ(text_of(job), "one done \"talk.mp3\"\n");
}

TEST(ListedJob, SaysWhyAJobFailed) {
  Job job = job_called("talk.mp3", JobState::failed);
  job.error = Error{"no_audio_track", "There is no sound.", ""};
  EXPECT_EQ(text_of(job), "one failed \"talk.mp3\": There is no sound.\n");
}

TEST(ListedJob, IsOneLineWhateverItsFileIsCalled) {
  Job job = job_called("a\nthree done \"b\"", JobState::failed);
  job.error = Error{"failed", "first\nsecond", ""};
  const std::string line = text_of(job);
  EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
  EXPECT_EQ(json_of(job)["title"].get<std::string>().find('\n'), std::string::npos);
}

TEST(ListedJob, HasNoFieldThatItsSchemaDoesNotName) {
  Job job = job_called("talk.mp3", JobState::running);
  job.progress = {.phase = TranscriptionPhase::transcribing,
                  .listened = 9,
                  .position = 3,
                  .duration = 9,
                  .percent = 33,
                  .speed = 2,
                  .left_s = 3,
                  .queue_place = 1};
  const auto schema = listed_job_schema();
  const auto json = json_of(job);
  for (const auto& [name, value] : json.items()) {
    EXPECT_TRUE(schema["properties"].contains(name)) << name;
  }
  for (const auto& name : schema["required"]) {
    EXPECT_TRUE(json.contains(name.get<std::string>())) << name;
  }
}

}  // namespace
}  // namespace server
