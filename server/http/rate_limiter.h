#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace server {

// Counts the requests of each name: so many may come at once as are allowed in a minute, and then
// one whenever its share of the minute has passed. It is used on one thread.
class RateLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  struct Answer {
    bool is_allowed = true;
    std::int64_t left = 0;             // requests that may come at once after this one
    std::chrono::seconds next{0};      // until one more may come; 0 where some are left
    std::chrono::seconds all_back{0};  // until as many may come as in a minute
  };

  // Counts one more request of that name, if it is allowed.
  Answer take(const std::string& name, std::int64_t per_minute, Clock::time_point now);

 private:
  struct Bucket {
    double used = 0;  // requests that still count
    Clock::time_point seen{};
  };

  std::map<std::string, Bucket> buckets_{};  // as many as there are names of keys
};

}  // namespace server
