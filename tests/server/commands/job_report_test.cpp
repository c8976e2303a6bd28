#include "server/commands/job_report.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using nlohmann::json;

json some_job() {
  return {{"id", "ymnk8vkch7pe9tssax6jy9srq5"},
          {"status", "running"},
          {"title", "talk.wav"},
          {"model", "base"},
          {"language", "en"},
          {"duration", 61.5},
          {"percent", 43.7},
          {"phase", "transcribing"},
          {"position", 26.9},
          {"left_s", nullptr},
          {"warnings", json::array()},
          {"error", nullptr}};
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(JobReport, AJobIsALineOfTheTable) {
  const std::string text = jobs_table(json::array({some_job()}), false, 0);
  EXPECT_TRUE(says(text, "JOB                         STATUS       LENGTH  MODEL  LANGUAGE"))
      << text;
  EXPECT_TRUE(says(text, "ymnk8vkch7pe9tssax6jy9srq5  running 43%  1:01    base   English"))
      << text;
  EXPECT_TRUE(text.ends_with("\n1 job\n")) << text;
}

TEST(JobReport, SaysHowToSeeOlderJobs) {
  const std::string text = jobs_table(json::array({some_job(), some_job()}), true, 0);
  EXPECT_TRUE(says(text, "2 jobs; there are older ones: --after ymnk8vkch7pe9tssax6jy9srq5"))
      << text;
}

TEST(JobReport, NoJobIsASentence) {
  EXPECT_EQ(jobs_table(json::array(), false, 0), "There are no jobs.\n");
  EXPECT_EQ(models_table(json::array(), 0), "No model is loaded.\n");
}

TEST(JobReport, AJobThatFailedSaysWhy) {
  json job = some_job();
  job["status"] = "failed";
  job["error"] = {{"code", "no_audio_track"}, {"message", "There is no sound."}, {"fix", nullptr}};
  EXPECT_TRUE(says(job_text(job), "error      There is no sound.\n")) << job_text(job);
  EXPECT_EQ(problem_of(job).code, "no_audio_track");
}

TEST(JobReport, AJobTellsWhatItsSpeakersAreCalled) {
  json job = some_job();
  EXPECT_FALSE(says(job_text(job), "speakers"));
  job["speaker_names"] = {{"A", "Anna"}, {"B", "B"}};
  EXPECT_TRUE(says(job_text(job), "speakers   A is Anna, B\n")) << job_text(job);
}

TEST(JobReport, AJobThatIsDoneHasNoProblem) {
  json job = some_job();
  job["status"] = "done";
  EXPECT_EQ(problem_of(job).code, "");
  EXPECT_TRUE(job_has_ended(job));
  EXPECT_FALSE(job_has_ended(some_job()));
}

TEST(JobReport, ReadsTheFiguresOfAJob) {
  const auto progress = progress_of(some_job());
  EXPECT_EQ(progress.phase, TranscriptionPhase::transcribing);
  EXPECT_EQ(progress.percent, 43.7);
  EXPECT_EQ(progress.left_s, std::nullopt);
  EXPECT_EQ(progress.duration, 61.5);
}

TEST(JobReport, ReadsASegment) {
  const auto segment = segment_of({{"id", 2},
                                   {"start", 1.5},
                                   {"end", 3.0},
                                   {"text", " Hello."},
                                   {"confidence", 0.9},
                                   {"channel", 1}});
  EXPECT_EQ(segment.id, 2);
  EXPECT_EQ(segment.end, 3.0);
  EXPECT_EQ(segment.text, " Hello.");
  EXPECT_EQ(segment.channel, 1);
}

TEST(JobReport, CountsHaveAPlural) {
  const std::string text = status_text({{"version", "1.0"},
                                        {"ready", true},
                                        {"default_model", "base"},
                                        {"queue", {{"waiting", 2}, {"running", 1}}}},
                                       "http://localhost:8080");
  EXPECT_TRUE(says(text, "running    1 job\n")) << text;
  EXPECT_TRUE(says(text, "waiting    2 jobs\n")) << text;
}

TEST(JobReport, AnAnswerOfAnotherVersionIsShownAsFarAsItIsKnown) {
  for (const json& odd : {json::object(), json{{"status", 3}, {"warnings", "x"}, {"error", {}}}}) {
    EXPECT_NO_THROW(job_text(odd));
    EXPECT_NO_THROW(progress_of(odd));
    EXPECT_NO_THROW(segment_of(odd));
    EXPECT_NO_THROW(status_text(odd, "x"));
    EXPECT_NO_THROW(jobs_table(json::array({odd, 3}), true, 0));
    EXPECT_NO_THROW(models_table(json::array({odd, 3}), 0));
  }
}

}  // namespace
}  // namespace server
