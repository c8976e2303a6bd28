#include "server/sessions/wrong_keys.h"

#include <algorithm>
#include <cmath>

#include "server/http/client_address.h"

namespace server {
namespace {

using std::chrono::seconds;

constexpr double minute_s = 60;

// A client with one address of IPv6 has all of its /64, and a program on this machine has all
// loopback addresses. What is no address is a user of this machine, who has all of his programs.
std::string network_of(const std::string& peer) {
  boost::system::error_code failure;
  const auto address = boost::asio::ip::make_address(peer, failure);
  if (failure) return peer;
  return plain_address(address).is_loopback() ? "loopback" : client_network(address);
}

// Returns how many of `used` keys still count, of which so many may come in a minute.
double still_used(double used, double per_minute, WrongKeys::Clock::duration passed) {
  const double minutes = std::chrono::duration<double>(passed).count() / minute_s;
  return std::max(0.0, used - minutes * per_minute);
}

}  // namespace

std::optional<seconds> WrongKeys::wait(const std::string& peer, const KeyHash& key,
                                       Clock::time_point now) const {
  const std::string network = network_of(peer);
  const auto found = tries_.find(network);
  if (found == tries_.end() || std::ranges::count(found->second.last, key) > 0) return std::nullopt;
  const auto right = right_.find({network, key});
  if (right != right_.end() && now - right->second < right_lasts) return std::nullopt;
  const Tries& tries = found->second;
  const double too_many = still_used(tries.used, per_minute, now - tries.seen) - (per_minute - 1);
  double wait_s = too_many * minute_s / per_minute;
  const bool are_all_slowed =
      still_used(all_.used, per_minute_of_all, now - all_.seen) > per_minute_of_all - 1;
  if (are_all_slowed) {
    const std::chrono::duration<double> left = tries.seen + slowed_wait - now;
    wait_s = std::max(wait_s, left.count());
  }
  if (wait_s <= 0) return std::nullopt;
  return seconds(static_cast<long>(std::ceil(wait_s)));
}

void WrongKeys::note_wrong(const std::string& peer, const KeyHash& key, Clock::time_point now) {
  forget_tries(now);
  Tries& tries = tries_[network_of(peer)];
  if (std::ranges::count(tries.last, key) > 0) return;
  tries.used = still_used(tries.used, per_minute, now - tries.seen) + 1;
  tries.seen = now;
  if (tries.last.size() >= static_cast<std::size_t>(per_minute)) {
    tries.last.erase(tries.last.begin());
  }
  tries.last.push_back(key);
  all_.used =
      std::min(still_used(all_.used, per_minute_of_all, now - all_.seen) + 1, per_minute_of_all);
  all_.seen = now;
}

void WrongKeys::note_right(const std::string& peer, const KeyHash& key, Clock::time_point now) {
  Place place{network_of(peer), key};
  if (right_.size() >= most_right && !right_.contains(place)) forget_right(now);
  right_[std::move(place)] = now;
}

void WrongKeys::forget_tries(Clock::time_point now) {
  std::erase_if(tries_, [now](const auto& one) { return now - one.second.seen > slowed_wait; });
  if (tries_.size() < most_addresses) return;
  tries_.erase(
      std::ranges::min_element(tries_, {}, [](const auto& one) { return one.second.seen; }));
}

void WrongKeys::forget_right(Clock::time_point now) {
  std::erase_if(right_, [now](const auto& one) { return now - one.second > right_lasts; });
  if (right_.size() < most_right) return;
  right_.erase(std::ranges::min_element(right_, {}, [](const auto& one) { return one.second; }));
}

}  // namespace server
