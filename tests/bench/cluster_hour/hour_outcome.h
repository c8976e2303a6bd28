#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/bench/cluster_hour/hour_settings.h"

namespace bench {

struct Wait {
  double created = 0;  // by the database's clock
  double seconds = 0;  // until the job was begun
};

// What came of a simulation, or of a part of it.
struct HourOutcome {
  double seconds = 0;  // that were simulated
  int submitted = 0, claimed = 0, empty_looks = 0, ended = 0, lost_writes = 0;
  int deaths = 0, sweeps = 0;
  int largest_lag = 0;  // in jobs, between owners who send the same
  std::int64_t transactions = 0;
  std::map<std::string, std::vector<Wait>> waits{};  // by owner
  std::vector<double> again_s{};  // from the death of a node until its job ran again
  std::vector<double> left_s{};   // the same for those that run nowhere at the end, until then

  void add(const HourOutcome& other);
};

// The figures, and which promises they break.
struct Verdict {
  nlohmann::ordered_json figures{};
  std::vector<std::string> broken{};
};

Verdict judge(const HourOutcome& outcome, const HourSettings& settings);

}  // namespace bench
