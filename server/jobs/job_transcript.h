#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "protocol/transcript.h"
#include "server/jobs/job_queue.h"

namespace server {

// What is known of a job's recording: its summary with the segments that are decided by now.
protocol::Transcript transcript_of(const Job& job, std::vector<protocol::Segment> segments);

// The same, with all segments from the store.
asio::awaitable<Result<protocol::Transcript>> read_transcript(JobQueue& queue, Job job);

}  // namespace server
