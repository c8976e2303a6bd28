#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "protocol/transcribe_options.h"
#include "server/base/environment.h"
#include "server/device/device_arguments.h"
#include "server/device/device_plan.h"
#include "server/models/model_store.h"
#include "server/transcription/model_worker.h"

namespace server {

struct ModelWish {
  std::string model{};                    // as `scribed models show` takes it
  int threads = 0;                        // 0: as many as there are physical cores
  protocol::TranscribeOptions options{};  // what memory is judged by
  int jobs = 1;                           // that may run at once; likewise
  // A daemon: other calls follow, each with options of its own, and clients wait for some of them.
  bool serves = false;
};

// Windows of sound that are decoded at once at most, each with its beams, but for the places that a
// daemon keeps for clients that wait.
int most_windows(const ModelWish& wish);

// The plan for a model of which so many windows are decoded at once. Where there is not the memory
// for them on a device that is good for one, this one is taken all the same, and the reason says
// so.
using PlanForWindows = std::function<Result<DevicePlan>(int windows)>;
Result<DevicePlan> plan_with_room(int windows, const PlanForWindows& plan);

// How many windows may be in memory at once, beside the places for clients, and the plan for them
// all. A daemon's are as many as jobs that are transcribed in parallel want, where there is the
// memory, since any job may ask for that.
struct WindowsPlan {
  int windows = 0;
  Result<DevicePlan> plan;
};
WindowsPlan plan_windows(const ModelWish& wish, const PlanForWindows& plan);

// What models and devices are chosen from. Given by the program that has a user's environment.
struct SetupSources {
  ModelStore models;
  DeviceArguments device{};
  Environment environment{};
  // Where answers of the vendors' libraries, and smoke runs that passed, are kept.
  std::filesystem::path probe_cache{};
};

// Finds the model and the devices to try for it. Blocks: it may ask drivers. Problems of a matrix
// that was named go to `problems`.
Result<WorkerSetup> find_worker_setup(const ModelWish& wish, const SetupSources& sources,
                                      std::vector<std::string>& problems);

}  // namespace server
