#pragma once

#include <string>
#include <vector>

// Part of what the daemon and scribed-worker say to each other; see worker_messages.h.
namespace protocol::worker {

// daemon to worker: measure, in place of Load. Ends with a BenchResult, or with Failed.
struct Bench {
  std::string model_path{};
  std::string synthetic{};  // "base" …: random numbers of that size in place of a file
  std::string device = "auto";
  std::string compute_type = "auto";
  int threads = 0;  // 0: as many as there are physical cores
  bool flash_attn = true;
  std::vector<int> batches{};  // windows that take their steps together; ascending
  double seconds = 0;          // that each figure is measured for
};

// worker to daemon ------------------------------------------------------------------------------

// A time that was measured, and the least that it could be under the machine's limits.
struct BenchTime {
  double ms = 0;
  double ideal_ms = 0;
  std::string bound{};         // which limit that is: "compute" or "memory"
  double giga_operations = 0;  // that have to be computed
  double megabytes = 0;        // that have to be read
};

// One token for each of `batch` windows.
struct BenchStep {
  int batch = 0;
  BenchTime time{};
  double tokens_per_s = 0;
};

struct BenchKernel {
  std::string part{};
  std::string kernel{};
  std::string reason{};
};

struct BenchResult {
  std::string device{};
  std::string device_name{};
  std::string isa{};  // of the CPU
  std::string compute_type{};
  int threads = 0;
  std::vector<std::string> notes{};
  std::vector<BenchKernel> kernels{};
  double giga_operations_per_s = 0;  // of matrix products
  double gigabytes_per_s = 0;        // read from memory
  double cache_megabytes = 0;        // the CPU's last level; 0: not known
  BenchTime encoder{};               // of a window of 30 seconds
  std::vector<BenchStep> steps{};
};

}  // namespace protocol::worker
