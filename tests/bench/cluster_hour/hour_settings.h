#pragma once

#include <string>

namespace bench {

// What is simulated; times are seconds of virtual time.
struct HourSettings {
  std::string address{};
  int nodes = 1000;
  double seconds = 3600;
  double jobs_per_s = 83;
  double job_s = 38;  // how long a job runs in the middle
  int deaths = 10;
  int threads = 2;
  double most_real_s = 1e9;  // after which the simulation ends wherever it is
  std::string without{};     // "sweep" or "turns": what is taken away, to see it noticed

  double burst_at() const { return seconds / 4; }
};

inline constexpr int places = 4;  // of a node
inline constexpr int owners = 20;
inline constexpr char burst_owner[] = "burst";
inline constexpr double burst_s = 40;         // of everybody's work, sent at once
inline constexpr double longest_dead_s = 25;  // until a dead node's jobs run again

}  // namespace bench
