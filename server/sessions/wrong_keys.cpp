#include "server/sessions/wrong_keys.h"

#include <algorithm>
#include <cmath>

#include "server/http/client_address.h"

namespace server {
namespace {

constexpr double seconds_each = 60 / WrongKeys::per_minute;

// Whoever has one address of IPv6 has all of its /64.
std::string network_of(const std::string& peer) {
  boost::system::error_code failure;
  const auto address = boost::asio::ip::make_address(peer, failure);
  return failure ? peer : client_network(address);
}

}  // namespace

double WrongKeys::used_now(const Tries& tries, Clock::time_point now) {
  const std::chrono::duration<double> passed = now - tries.seen;
  return std::max(0.0, tries.used - passed.count() / seconds_each);
}

std::optional<std::chrono::seconds> WrongKeys::wait(const std::string& peer,
                                                    Clock::time_point now) const {
  const auto found = tries_.find(network_of(peer));
  if (found == tries_.end()) return std::nullopt;
  const double too_many = used_now(found->second, now) - (per_minute - 1);
  if (too_many <= 0) return std::nullopt;
  return std::chrono::seconds(static_cast<long>(std::ceil(too_many * seconds_each)));
}

void WrongKeys::count(const std::string& peer, Clock::time_point now) {
  forget(now);
  Tries& tries = tries_[network_of(peer)];
  tries.used = used_now(tries, now) + 1;
  tries.seen = now;
}

void WrongKeys::forget(Clock::time_point now) {
  std::erase_if(tries_, [now](const auto& entry) { return used_now(entry.second, now) <= 0; });
  if (tries_.size() < most_addresses) return;
  tries_.erase(
      std::ranges::min_element(tries_, {}, [](const auto& entry) { return entry.second.seen; }));
}

}  // namespace server
