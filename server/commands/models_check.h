#pragma once

#include <optional>
#include <string>

#include "server/models/model_report.h"

namespace server {

// The device and precision that a model runs with on this machine.
struct ModelRun {
  std::string device;  // "cpu", "cuda:0"
  std::string compute_type;
  std::string reason;
};

// Chooses them as `scribed transcribe` does; nullopt if no device suits. It may ask drivers.
std::optional<ModelRun> run_of(const ModelReport& report);

// Prints `models check`, as text for a person or one JSON object.
void print_check(const ModelReport& report, const std::optional<ModelRun>& run, bool as_json);

}  // namespace server
