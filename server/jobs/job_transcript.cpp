#include "server/jobs/job_transcript.h"

#include <utility>

#include "protocol/option_table.h"

namespace server {

protocol::Transcript transcript_of(const Job& job, std::vector<protocol::Segment> segments) {
  protocol::Transcript transcript = job.summary;
  transcript.segments = std::move(segments);
  transcript.text.clear();
  for (const auto& segment : transcript.segments) transcript.text += segment.text;
  transcript.model = job.request.model;
  transcript.task = protocol::json::name_of(job.request.options.task);
  if (transcript.language.empty()) transcript.language = job.language;
  if (transcript.language.empty()) transcript.language = job.request.options.language;
  if (transcript.duration == 0) transcript.duration = job.duration;
  return transcript;
}

asio::awaitable<Result<protocol::Transcript>> read_transcript(JobQueue& queue, Job job) {
  auto segments = co_await queue.segments(job.id, 0, job.segments);
  if (!segments) co_return segments.error();
  co_return transcript_of(job, *std::move(segments));
}

}  // namespace server
