#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/base/race.h"
#include "server/jobs/job_queue.h"

namespace server::test {

// A runner's work on the next job, as the test wants it.
struct PlayedJob {
  bool waited_for = true;  // a client waits for it
  std::vector<protocol::Segment> said{};
  // The job ends when this returns true.
  std::function<bool()> may_end = [] { return true; };
  std::optional<JobEnd> end = JobEnd{.summary = {.language = "en", .duration = 3}};
};

inline asio::awaitable<void> play(JobQueue& jobs, PlayedJob played) {
  const auto job = co_await jobs.claim(played.waited_for);
  const Claim claim = claim_of(*job);
  co_await jobs.add_segments(claim, std::move(played.said));
  if (!played.end) co_return;
  while (!played.may_end()) co_await sleep_for(std::chrono::milliseconds(1));
  co_await jobs.finish(claim, *std::move(played.end));
}

// Plays the job on `io` beside the coroutines that the test runs next.
inline void play_beside(asio::io_context& io, JobQueue& jobs, PlayedJob played) {
  asio::co_spawn(io, play(jobs, std::move(played)), asio::detached);
}

inline std::vector<protocol::Segment> two_segments() {
  return {{.id = 0, .start = 0, .end = 1, .text = " Hello there."},
          {.id = 1, .start = 1, .end = 3, .text = " Goodbye."}};
}

}  // namespace server::test
