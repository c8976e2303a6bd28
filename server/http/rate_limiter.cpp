#include "server/http/rate_limiter.h"

#include <algorithm>
#include <cmath>

namespace server {
namespace {

constexpr double minute_s = 60;

std::chrono::seconds whole_seconds(double seconds) {
  return std::chrono::seconds(static_cast<std::int64_t>(std::ceil(seconds)));
}

}  // namespace

RateLimiter::Answer RateLimiter::take(const std::string& name, std::int64_t per_minute,
                                      Clock::time_point now, std::int64_t requests) {
  Bucket& bucket = buckets_[name];
  const auto most = static_cast<double>(per_minute);
  const double share_s = minute_s / most;
  const double passed = std::chrono::duration<double>(now - bucket.seen).count();
  bucket.used = std::max(0.0, bucket.used - passed / share_s);
  bucket.seen = now;
  const auto wanted = static_cast<double>(requests);
  Answer answer{.is_allowed = bucket.used + wanted <= most};
  if (answer.is_allowed) bucket.used += wanted;
  answer.left = static_cast<std::int64_t>(std::max(0.0, most - bucket.used));
  // What is more than the minute has room for is tried when all of that is free.
  const double behind = bucket.used + (answer.is_allowed ? 1 : wanted) - most;
  if (behind > 0) answer.next = whole_seconds(std::min(bucket.used, behind) * share_s);
  answer.all_back = whole_seconds(bucket.used * share_s);
  return answer;
}

}  // namespace server
