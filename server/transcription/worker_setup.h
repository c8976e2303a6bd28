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

struct SetupRequest {
  std::string model{};                    // as `scribed models show` takes it
  int threads = 0;                        // 0: the number of physical cores
  protocol::TranscribeOptions options{};  // for an estimate of memory
  int jobs = 1;                           // jobs that may run at once, for the same estimate
  // True for a daemon: other calls follow, each with options of its own, and clients wait for some
  // of them.
  bool serves = false;
  int models = 1;  // that share a GPU's memory
  // The model is to tell speakers apart, and nothing is transcribed.
  bool only_speakers = false;

  // Returns whether the model may have a worker on each NUMA node. A command has one recording at a
  // time, which all cores are for; a number of threads is that of one worker.
  bool has_worker_per_node() const { return serves && threads == 0; }
};

// Returns the most windows of sound that are decoded at once, each with its beams, without the
// places that a daemon keeps for clients that wait.
int most_windows(const SetupRequest& wanted);

// Returns how many windows a GPU may have in memory, if there is room: a daemon's jobs and a
// recording that is transcribed in parallel use as many as there are.
int most_gpu_windows(const SetupRequest& wanted);

// Returns the plan for a model that decodes so many windows at once. If a device suits one window
// but lacks the memory for all, it is planned all the same, and the reason says so.
using PlanForWindows = std::function<Result<DevicePlan>(int windows)>;
Result<DevicePlan> plan_with_room(int windows, const PlanForWindows& plan);

// The number of windows that may be in memory at once, beside the places for clients, and the plan
// for all. If memory allows, a daemon's are as many as jobs that are transcribed in parallel want,
// since any job may ask for that.
struct WindowsPlan {
  int windows = 0;
  Result<DevicePlan> plan;
};
WindowsPlan plan_windows(const SetupRequest& wanted, const PlanForWindows& plan);

// The sources that models and devices are chosen from. The program that has a user's environment
// gives them.
struct SetupSources {
  ModelStore models;
  DeviceArguments device{};
  Environment environment{};
  // The folder that caches answers of the vendors' libraries, and smoke runs that passed.
  std::filesystem::path probe_cache{};
};

// Finds the model and the devices to try for it. It blocks: it may ask drivers. Problems of a given
// matrix go to `problems`.
Result<WorkerSetup> find_worker_setup(const SetupRequest& wanted, const SetupSources& sources,
                                      std::vector<std::string>& problems);

}  // namespace server
