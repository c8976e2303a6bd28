#include "server/jobs/job_watch.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace server {

void JobQueue::tell(const JobNotice& notice) {
  tell_here(notice);
  if (news_) news_->tell(notice);
}

void JobQueue::tell_end(Job ended) {
  add_progress(ended);
  tell(ended, JobNotice::Kind::ended);
  on_end_(ended);
}

void JobQueue::tell_here(const JobNotice& notice) {
  const auto [begin, end] = watches_.equal_range(notice.id);
  for (auto it = begin; it != end; ++it) it->second->tell();
  on_change_(notice);
}

JobWatch::JobWatch(JobQueue& queue, const std::string& id)
    : queue_(queue),
      queue_life_(queue.life()),
      place_(queue.watches_.emplace(id, this)),
      timer_(queue.executor_) {
  queue.look_soon();
}

JobWatch::~JobWatch() {
  if (!queue_life_.expired()) queue_.watches_.erase(place_);
}

void JobWatch::tell() {
  has_news_ = true;
  timer_.cancel();
}

asio::awaitable<bool> JobWatch::changed(std::chrono::steady_clock::time_point deadline) {
  if (!has_news_) {
    timer_.expires_at(deadline);
    boost::system::error_code ended;
    auto wait = asio::redirect_error(asio::use_awaitable, ended);
    co_await timer_.async_wait(std::move(wait));
  }
  co_return std::exchange(has_news_, false);
}

}  // namespace server
