#pragma once

#include <boost/asio/post.hpp>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <utility>

#include "server/jobs/job_queue.h"

namespace server {

template <class T>
asio::awaitable<Result<T>> JobQueue::long_work(std::string owner, LongWork<T> work) {
  auto entering = owners_line_.enter(std::move(owner));
  auto turn = co_await std::move(entering);
  auto running = long_work_in(std::move(turn), std::move(work));
  co_return co_await std::move(running);
}

// Runs work on a thread for long work: it calls the store for slices, and the store answers others
// between them. When the caller is cancelled, the work is asked to stop.
template <class T>
asio::awaitable<Result<T>> JobQueue::long_work_in(std::shared_ptr<void> turn, LongWork<T> work) {
  const OnStore on_store = [this](const std::function<void(JobStore&)>& call) {
    // The store's thread still holds it when the result is there.
    const auto slice = std::make_shared<std::packaged_task<void()>>([this, &call] {
      call_began_ = Clock::now();
      call(*store_);
      call_began_ = Clock::time_point();
    });
    auto done = slice->get_future();
    asio::post(store_thread_, [slice] { (*slice)(); });
    done.get();
  };
  std::function<Result<T>(std::stop_token)> run = [work = std::move(work),
                                                   on_store](std::stop_token stop) -> Result<T> {
    try {
      return work(on_store, std::move(stop));
    } catch (const std::exception& thrown) {
      return Error{errc::internal, thrown.what(), ""};
    }
  };
  auto running = long_calls_->run<T>(std::move(run), std::move(turn));
  co_return co_await std::move(running);
}

}  // namespace server
