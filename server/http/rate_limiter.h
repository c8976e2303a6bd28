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
    std::int64_t left = 0;  // requests that may come at once after these
    // Until one more may come, or what was refused; 0: it may come at once.
    std::chrono::seconds next{0};
    std::chrono::seconds all_back{0};  // until as many may come as in a minute
  };

  // Counts so many more requests of that name, if all of them are allowed.
  Answer take(const std::string& name, std::int64_t per_minute, Clock::time_point now,
              std::int64_t requests = 1);

 private:
  struct Bucket {
    double used = 0;  // requests that still count
    Clock::time_point seen{};
  };

  std::map<std::string, Bucket> buckets_{};  // as many as there are names of keys
};

}  // namespace server
