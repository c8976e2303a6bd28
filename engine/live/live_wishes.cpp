#include "engine/live/live_wishes.h"

#if defined(__linux__)
#include <sys/eventfd.h>
#endif
#include <unistd.h>

#include <utility>

namespace engine {
namespace {

platform::UniqueFd open_news() {
#if defined(__linux__)
  return platform::UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
#else
  return platform::UniqueFd();
#endif
}

}  // namespace

LiveWishes::LiveWishes() : news_(open_news()) {}

void LiveWishes::add(live::Wish wish) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() < most) {
      waiting_.push_back(std::move(wish));
    } else {
      overflowed_ = true;
    }
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(news_.get(), &one, sizeof one);
}

std::optional<live::Wish> LiveWishes::take_until(std::int64_t sample) {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty() || waiting_.front().sample > sample) return std::nullopt;
  live::Wish wish = std::move(waiting_.front());
  waiting_.pop_front();
  return wish;
}

bool LiveWishes::overflowed() const {
  const std::lock_guard lock(mutex_);
  return overflowed_;
}

void LiveWishes::quiet() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(news_.get(), &count, sizeof count);
}

}  // namespace engine
