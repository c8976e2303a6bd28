#include "server/jobs/job.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "protocol/option_table.h"
#include "protocol/subtitles/layout.h"
#include "server/jobs/claim.h"
#include "server/transcription/progress_meter.h"

namespace server {

const char* name(JobState state) {
  switch (state) {
    case JobState::queued:
      return "queued";
    case JobState::running:
      return "running";
    case JobState::done:
      return "done";
    case JobState::failed:
      return "failed";
    case JobState::cancelled:
      break;
  }
  return "cancelled";
}

bool has_ended(JobState state) {
  return state != JobState::queued && state != JobState::running;
}

protocol::WorkClass work_class_of(const JobRequest& request) {
  using protocol::WorkClass;
  if (request.options.live_chunk) return WorkClass::live;
  return request.detached ? WorkClass::background : WorkClass::interactive;
}

const std::string& shown_title(const Job& job) {
  return job.title.empty() ? job.request.title : job.title;
}

TranscriptionProgress stored_progress(const Job& job) {
  // A job that is done has decided all of its sound, also silence behind the last text.
  const bool is_done = job.state == JobState::done;
  const ProgressMeter meter(job.request.options.clip_timestamps,
                            is_done ? job.duration : job.position, job.duration);
  auto progress = meter.figures();
  if (is_done) progress.percent = 100;
  if (has_ended(job.state)) progress.phase = TranscriptionPhase::ended;
  return progress;
}

Result<void> check_has_speakers(const Job& job) {
  const bool has_some = !job.summary.turns.empty() || !job.speaker_names.empty();
  if (job.request.options.diarize || has_some) return {};
  return Error{errc::usage, "This job has no speaker labels.",
               "Submit the recording with diarize."};
}

protocol::Transcript transcript_of(const Job& job, std::vector<protocol::Segment> segments) {
  protocol::Transcript transcript = job.summary;
  transcript.segments = std::move(segments);
  transcript.turns = protocol::named_turns(std::move(transcript.turns), job.speaker_names);
  transcript.text.clear();
  for (const auto& segment : transcript.segments) transcript.text += segment.text;
  transcript.model = job.request.model;
  transcript.task = protocol::json::name_of(job.request.options.task);
  if (transcript.language.empty()) transcript.language = job.language;
  if (transcript.language.empty()) transcript.language = job.request.options.language;
  if (transcript.duration == 0) transcript.duration = job.duration;
  return transcript;
}

protocol::WriterOptions writer_options(const Job& job) {
  const protocol::WriterOptions options{
      .channel_labels = job.request.channel_labels,
      .recording =
          job.title.empty() ? std::filesystem::path(job.request.title).stem().string() : job.title};
  return protocol::with_style(options, job.request.options.subtitle_style);
}

Error job_not_found(const std::string& id) {
  return {errc::job_not_found, fmt::format("There is no job {}.", id),
          "Results are kept for a day unless configured otherwise."};
}

Error claim_lost() {
  return {errc::claim_lost, "The job is finished, or belongs to another run.", ""};
}

Error no_such_place(const std::string& id) {
  return {errc::usage, fmt::format("There is no job {} to continue after.", id),
          "It was deleted or has expired: start with the first page again."};
}

Error key_reused() {
  return {errc::key_reused, "this idempotency key was used for another request",
          "Use a new key for each new request."};
}

Error too_many_pinned(std::int64_t most) {
  return {errc::too_many_jobs, fmt::format("{} of your jobs are pinned already.", most),
          "Unpin some that need not be kept for ever."};
}

Error draining() {
  return {errc::draining, "scribed is about to end.", "Send it again when scribed runs again."};
}

}  // namespace server
