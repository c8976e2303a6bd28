#include "server/jobs/job.h"

#include <gtest/gtest.h>

#include <utility>

namespace server {
namespace {

TEST(Job, WhoWaitsDecidesTheClassOfItsWork) {
  using protocol::WorkClass;
  JobRequest request;
  EXPECT_EQ(work_class_of(request), WorkClass::background);
  request.detached = false;
  EXPECT_EQ(work_class_of(request), WorkClass::interactive);
  request.options.live_chunk = 1;
  EXPECT_EQ(work_class_of(request), WorkClass::live);
}

TEST(Job, HasEndedWhenItNeitherWaitsNorRuns) {
  const std::pair<JobState, const char*> states[] = {{JobState::queued, "queued"},
                                                     {JobState::running, "running"},
                                                     {JobState::done, "done"},
                                                     {JobState::failed, "failed"},
                                                     {JobState::cancelled, "cancelled"}};
  for (const auto& [state, text] : states) {
    EXPECT_STREQ(name(state), text);
    EXPECT_EQ(has_ended(state), state != JobState::queued && state != JobState::running) << text;
  }
}

TEST(Job, OneThatIsDoneIsDoneToItsLastSecond) {
  Job job{.state = JobState::running, .position = 30, .duration = 120};
  EXPECT_EQ(stored_progress(job).percent, 25);
  EXPECT_EQ(stored_progress(job).phase, TranscriptionPhase::queued);
  job.state = JobState::failed;
  EXPECT_EQ(stored_progress(job).percent, 25);
  EXPECT_EQ(stored_progress(job).phase, TranscriptionPhase::ended);
  job.state = JobState::done;
  EXPECT_EQ(stored_progress(job).percent, 100);
  EXPECT_EQ(stored_progress(job).position, 120);
}

TEST(Job, OneOfAnEmptyRecordingIsDoneToo) {
  EXPECT_EQ(stored_progress({.state = JobState::done}).percent, 100);
}

TEST(Job, ItsTranscriptIsWhatIsDecidedWithWhatIsKnownOfIt) {
  Job job{.duration = 9, .language = "de"};
  job.request.model = "base";
  job.request.options.task = protocol::Task::translate;
  job.summary.device = "cpu";
  job.summary.text = "of an earlier run";
  const auto transcript = transcript_of(job, {{.text = " One."}, {.text = " Two."}});
  EXPECT_EQ(transcript.text, " One. Two.");
  EXPECT_EQ(transcript.segments.size(), 2U);
  EXPECT_EQ(transcript.model, "base");
  EXPECT_EQ(transcript.task, "translate");
  EXPECT_EQ(transcript.language, "de");
  EXPECT_EQ(transcript.duration, 9);
  EXPECT_EQ(transcript.device, "cpu");
}

TEST(Job, TheLanguageOfATranscriptIsTheSurestOneThatIsKnown) {
  Job job;
  EXPECT_EQ(transcript_of(job, {}).language, "");
  job.request.options.language = "fr";
  EXPECT_EQ(transcript_of(job, {}).language, "fr");
  job.language = "de";
  EXPECT_EQ(transcript_of(job, {}).language, "de");
  job.summary.language = "en";
  EXPECT_EQ(transcript_of(job, {}).language, "en");
}

}  // namespace
}  // namespace server
