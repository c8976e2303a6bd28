#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/device_settings.h"

// These messages between the daemon and scribed-worker measure speed; see worker_messages.h for the
// others.
namespace protocol::worker {

// daemon to worker: measure, instead of Load. The worker answers with a BenchResult, or with
// Failed.
struct Bench {
  std::string model_path{};
  std::string synthetic{};  // "base" …: random numbers of that size, instead of a file
  DeviceSettings run_on{};
  std::vector<int> batches{};  // windows that take their steps together; ascending
  double seconds = 0;          // how long each figure is measured
  std::string model_of{};  // "h100" …: the figures of that card are computed, none is measured
};

// worker to daemon ------------------------------------------------------------------------------

// A time that was measured, and the least that it could be under the machine's limits.
struct BenchTime {
  double ms = 0;
  double ideal_ms = 0;
  std::string bound{};         // the limit that is reached first: "compute" or "memory"
  double giga_operations = 0;  // operations that have to be computed
  double megabytes = 0;        // bytes that have to be read
};

// A step decodes one token for each of `batch` windows.
struct BenchStep {
  int batch = 0;
  BenchTime time{};
  double tokens_per_s = 0;
};

// A step on a card whose published figures are known. Times are milliseconds.
struct BenchCardStep {
  int batch = 0;
  double megabytes = 0;        // that have to be read
  double giga_operations = 0;  // that have to be computed
  double ideal_ms = 0;         // the least under the card's limits, without launches
  std::string bound{};         // "compute" or "memory"
  int launches = 0;            // of fused kernels
  double ms = 0;               // with them
  int launches_of_libtorch = 0;
  double ms_of_libtorch = 0;
  double tokens_per_s = 0;     // of all windows, with fused kernels
  double times_real_time = 0;  // the same with an encoder pass for each 100 tokens
  bool fits = false;           // weights and all windows fit into the card's memory
};

// The model of a card: what its maker's figures allow.
struct BenchCard {
  std::string name{};
  double giga_operations_per_s = 0;
  double gigabytes_per_s = 0;
  double memory_gigabytes = 0;
  double launch_us = 0;  // what each kernel of a graph takes besides its work
  BenchTime encoder{};   // a window of 30 seconds; `ms` is 0
  std::vector<BenchCardStep> steps{};
};

// Several windows that are encoded as one batch.
struct BenchEncoderBatch {
  int batch = 0;
  double ms_of_a_window = 0;
};

struct BenchKernel {
  std::string part{};
  std::string kernel{};
  std::string reason{};
};

struct BenchResult {
  std::string device{};
  std::string device_name{};
  std::string isa{};  // instruction set of the CPU
  std::string compute_type{};
  int threads = 0;
  std::vector<std::string> notes{};
  std::vector<BenchKernel> kernels{};
  double giga_operations_per_s = 0;                  // measured with matrix products
  double gigabytes_per_s = 0;                        // read from memory
  double cache_megabytes = 0;                        // the CPU's last level; 0: unknown
  BenchTime encoder{};                               // a window of 30 seconds
  std::vector<BenchEncoderBatch> encoder_batches{};  // where they gain
  std::vector<BenchStep> steps{};
  std::optional<BenchCard> card{};  // instead of all measured figures, if a model of one was wanted
};

}  // namespace protocol::worker
