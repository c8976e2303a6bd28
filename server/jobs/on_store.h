#pragma once

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <utility>

#include "server/jobs/job_queue.h"

namespace server {

// The work is moved along, since its caller may be destroyed before it has ended. A caller that is
// cancelled meanwhile still gets the answer, and fails at its next co_await: what has to follow
// from an answer must not wait for anything.
template <class Work>
auto JobQueue::on_store(Work work) -> asio::awaitable<std::invoke_result_t<Work, JobStore&>> {
  using Answer = std::invoke_result_t<Work, JobStore&>;
  struct Counted {
    std::optional<Answer> answer{};
    std::optional<Result<int>> waiting{};
  };
  auto call = [this, work = std::move(work)]() -> asio::awaitable<Counted> {
    call_began_ = Clock::now();
    Counted counted{.answer = work(*store_)};
    if (has_to_count()) {
      const auto began = Clock::now();
      counted.waiting = store_->count_waiting();
      // A million rows take a while: counts take a fiftieth of the time at most. One that failed
      // says nothing of the next.
      const auto pause = *counted.waiting ? 49 * (Clock::now() - began) : look_interval;
      next_count_ = std::max(next_count_, Clock::now() + pause);
      note_stored(*store_);
    }
    call_began_ = Clock::time_point();
    co_return counted;
  };
  auto to_the_end = asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable);
  auto counted = co_await asio::co_spawn(store_thread_, std::move(call), std::move(to_the_end));
  if constexpr (requires { is_away(counted.answer->error()); }) {
    note_answer(*counted.answer || !is_away(counted.answer->error()));
  }
  if (counted.waiting) {
    note_answer(counted.waiting->has_value());
    if (store_answers_) waiting_ = **counted.waiting;
  }
  co_return *std::move(counted.answer);
}

}  // namespace server
