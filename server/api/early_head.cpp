#include "server/api/early_head.h"

#include <utility>

namespace server::api {
namespace {

using std::chrono::steady_clock;

// Returns false if the client is gone.
asio::awaitable<bool> keep_waiting(Exchange& exchange, const Response& head) {
  if (!exchange.has_answered()) co_await exchange.start_stream(head);
  const bool written = co_await exchange.write(" ");
  co_return written;
}

// The white space is written between two waits, never beside one: race() cancels the loser, and a
// cancelled write would leave half a chunk.
asio::awaitable<Result<Job>> ended_job(Exchange& exchange, FollowedJob& job,
                                       const EarlyHead& early) {
  while (true) {
    JobWait wait;
    if (early.head) wait.deadline = steady_clock::now() + early.interval;
    auto waiting = job.ended(std::move(wait));
    auto leaving = client_left(exchange);
    auto winner = co_await race(std::move(waiting), std::move(leaving));
    if (winner.index() == 1) co_return client_has_left();
    auto ended = std::get<0>(std::move(winner));
    if (!ended || has_ended(ended->state)) co_return ended;
    // A model that cannot be downloaded is an error with a status of its own.
    const bool is_fetching = ended->progress.phase == TranscriptionPhase::fetching_model;
    if (is_fetching && !exchange.has_answered()) continue;
    const bool is_there = co_await keep_waiting(exchange, *early.head);
    if (!is_there) co_return client_has_left();
  }
}

}  // namespace

EarlyHead early_head(const Api& api, Response head) {
  if (!api.settings.early_head_after) return {};
  head.headers.emplace_back("trailer", std::string(late_error_trailer) + ", warning");
  return {.head = std::move(head), .interval = *api.settings.early_head_after};
}

asio::awaitable<Result<ReadTranscript>> waited_transcript(Exchange& exchange, WaitedJob job,
                                                          EarlyHead early) {
  auto waiting = ended_job(exchange, *job, early);
  auto ended = co_await std::move(waiting);
  if (!ended) co_return ended.error();
  if (const auto problem = job->problem_of(*ended)) co_return *problem;
  auto reading = job->transcript(*std::move(ended));
  auto transcript = co_await std::move(reading);
  co_return transcript;
}

asio::awaitable<void> send_late(Exchange& exchange, Response answer) {
  if (!exchange.has_answered()) co_return co_await exchange.send(std::move(answer));
  if (!answer.error.empty()) exchange.fail_stream(answer.error);
  co_await exchange.write(answer.body);
}

}  // namespace server::api
