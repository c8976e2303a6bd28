#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "server/jobs/job.h"

namespace server {

// The speed of a model on a device: seconds of sound for each second of work.
struct Speed {
  std::string model{};
  std::string device{};
  double speed = 0;
  int jobs = 0;  // how many jobs it was taken from
};

// Returns the speeds of those jobs that were transcribed whole, the newest model first.
std::vector<Speed> speeds_of(const std::vector<Job>& newest_first);

std::string text_of(const Speed& speed);
nlohmann::json json_of(const Speed& speed);
nlohmann::json speed_schema();

}  // namespace server
