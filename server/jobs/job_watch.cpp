#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "server/jobs/job_queue.h"

namespace server {

void JobQueue::tell(const std::string& id) {
  const auto [begin, end] = watches_.equal_range(id);
  for (auto it = begin; it != end; ++it) it->second->tell();
  on_change_({.id = id});
}

void JobQueue::tell(const Job& job, JobNotice::Kind kind) {
  const auto [begin, end] = watches_.equal_range(job.id);
  for (auto it = begin; it != end; ++it) it->second->tell();
  on_change_({job.id, job.request.owner, kind});
}

JobWatch::JobWatch(JobQueue& queue, const std::string& id)
    : queue_(queue),
      queue_life_(queue.life()),
      place_(queue.watches_.emplace(id, this)),
      timer_(queue.executor_) {}

JobWatch::~JobWatch() {
  if (!queue_life_.expired()) queue_.watches_.erase(place_);
}

void JobWatch::tell() {
  has_news_ = true;
  timer_.cancel();
}

asio::awaitable<bool> JobWatch::changed(std::chrono::steady_clock::time_point deadline) {
  using Clock = std::chrono::steady_clock;
  const auto look = queue_.is_shared() ? Clock::now() + look_interval : Clock::time_point::max();
  if (!has_news_) {
    timer_.expires_at(std::min(deadline, look));
    boost::system::error_code ended;
    auto wait = asio::redirect_error(asio::use_awaitable, ended);
    co_await timer_.async_wait(std::move(wait));
  }
  const bool is_time_to_look = look < deadline && Clock::now() >= look;
  co_return std::exchange(has_news_, false) || is_time_to_look;
}

}  // namespace server
