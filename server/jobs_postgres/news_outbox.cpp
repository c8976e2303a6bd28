#include "server/jobs_postgres/news_outbox.h"

#include <utility>

namespace server::postgres {

void NewsOutbox::add_work(bool waited_for) {
  const std::lock_guard lock(mutex_);
  (waited_for ? work_of_clients_ : work_) = true;
  is_urgent_ = true;
}

void NewsOutbox::add(const JobNotice& notice) {
  const std::lock_guard lock(mutex_);
  const auto known = jobs_.find(notice.id);
  if (known == jobs_.end()) {
    if (jobs_.size() >= most_jobs) return;
    jobs_.emplace(notice.id, notice);
  } else if (notice.kind > known->second.kind) {
    known->second = notice;
  }
  if (notice.kind != JobNotice::Kind::changed) is_urgent_ = true;
}

NewsOutbox::Clock::time_point NewsOutbox::due() const {
  const std::lock_guard lock(mutex_);
  if (is_urgent_) return taken_ + pause;
  return jobs_.empty() ? Clock::time_point::max() : taken_ + pause_of_progress;
}

HeardNews NewsOutbox::take(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  taken_ = now;
  is_urgent_ = false;
  HeardNews news{.work = std::exchange(work_, false),
                 .work_of_clients = std::exchange(work_of_clients_, false)};
  for (auto& [id, notice] : std::exchange(jobs_, {})) news.jobs.push_back(std::move(notice));
  return news;
}

}  // namespace server::postgres
