#include "server/jobs/run_writes.h"

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace server {

asio::awaitable<Result<void>> RunWrites::write(RunWrite one) {
  if (!next_) next_ = std::make_shared<Batch>(executor_);
  const auto batch = next_;
  const std::size_t place = batch->writes.size();
  batch->writes.push_back(std::move(one));
  if (!std::exchange(is_writing_, true)) {
    asio::co_spawn(executor_, write_batches(), asio::detached);
  }
  boost::system::error_code woken;
  while (!batch->is_done) {
    auto to_the_end = asio::bind_cancellation_slot(
        asio::cancellation_slot(), asio::redirect_error(asio::use_awaitable, woken));
    co_await batch->done.async_wait(std::move(to_the_end));
  }
  if (batch->failure) std::rethrow_exception(batch->failure);
  co_return batch->answers.at(place);
}

asio::awaitable<void> RunWrites::write_batches() {
  while (next_) {
    const auto batch = std::exchange(next_, nullptr);
    // Those who wait must hear of it whatever happens, and others write afterwards.
    try {
      auto writing = write_all_(std::move(batch->writes));
      batch->answers = co_await std::move(writing);
    } catch (...) {
      batch->failure = std::current_exception();
    }
    batch->is_done = true;
    batch->done.cancel();
  }
  is_writing_ = false;
}

// A database that is away is away for each of them, and whoever waits for the store waits so often.
std::vector<Result<void>> write_together(JobStore& store, std::span<const RunWrite> writes) {
  auto answers = store.write_runs(writes);
  const bool was_refused = std::ranges::any_of(answers, [](const Result<void>& answer) {
    return !answer && answer.error().code != errc::claim_lost && !is_away(answer.error());
  });
  if (!was_refused || writes.size() == 1) return answers;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    answers[i] = store.write_runs(writes.subspan(i, 1)).front();
  }
  return answers;
}

}  // namespace server
