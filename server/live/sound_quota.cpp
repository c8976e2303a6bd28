#include "server/live/sound_quota.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "server/jobs/job_limits.h"
#include "server/jobs/job_queue.h"

namespace server {

asio::awaitable<Result<void>> SoundQuota::check(std::string owner) {
  const auto self = shared_from_this();
  const double written = accounts_.contains(owner) ? accounts_[owner].written : 0;
  const auto left = co_await jobs_.check_live(owner);
  if (!left) {
    if (left.error().code == errc::too_much_sound) {
      accounts_[owner].most = std::min(accounts_[owner].most, written);
    }
    co_return left.error();
  }
  if (jobs_.sound_limit_of(owner)) accounts_[owner].most = written + *left;
  co_return Result<void>();
}

double SoundQuota::take(const std::string& owner, double seconds) {
  if (!jobs_.sound_limit_of(owner)) return seconds;
  Account& account = accounts_[owner];
  const double fit = std::clamp(account.most - account.taken, 0.0, seconds);
  account.taken += fit;
  if (account.taken - account.written >= step_s) write_soon(owner, account);
  return fit;
}

void SoundQuota::settle(const std::string& owner) {
  const auto found = accounts_.find(owner);
  if (found == accounts_.end() || found->second.taken == found->second.written) return;
  found->second.settles = true;
  write_soon(owner, found->second);
}

Error SoundQuota::used_up(const std::string& owner) const {
  return too_much_sound(jobs_.sound_limit_of(owner).value_or(0));
}

void SoundQuota::write_soon(const std::string& owner, Account& account) {
  if (std::exchange(account.is_writing, true)) return;
  ++writing_;
  asio::co_spawn(executor_, write(shared_from_this(), owner),
                 [self = shared_from_this(), owner](std::exception_ptr) {
                   self->accounts_[owner].is_writing = false;
                   --self->writing_;
                 });
}

// What the store does not take is written with the sound that follows.
asio::awaitable<void> SoundQuota::write(std::shared_ptr<SoundQuota> self, std::string owner) {
  Account& account = self->accounts_[owner];
  while (account.taken - account.written >= step_s || std::exchange(account.settles, false)) {
    const double seconds = account.taken - account.written;
    account.written = account.taken;
    const double written = account.written;
    const auto left = co_await self->jobs_.add_live_sound(owner, seconds);
    if (!left) {
      account.written -= seconds;
      co_return;
    }
    account.most = written + *left;
  }
}

}  // namespace server
