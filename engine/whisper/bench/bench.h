#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/device/compute_type.h"
#include "engine/device/device.h"
#include "engine/error.h"
#include "engine/whisper/bench/kernel_choice.h"
#include "engine/whisper/bench/roofline.h"
#include "engine/whisper/torch_model/step_tools.h"
#include "engine/whisper/weights/weights.h"

namespace engine {

struct BenchOptions {
  DeviceOptions device;
  ComputeType type = ComputeType::float32;
  std::vector<int> batches{1};         // windows that take their steps together
  std::vector<int> encoder_batches{};  // windows encoded together, on a GPU
  double seconds = 2;                  // that each figure is measured for
};

// A time that was measured, and the least that it could be.
struct BenchTime {
  double seconds = 0;
  Work work;
  IdealTime ideal;
};

// Windows that are encoded together.
struct EncoderBatchTime {
  int batch = 1;
  double seconds = 0;  // of each window
};

struct StepTime {
  int batch = 1;
  BenchTime time;  // of a step: one token of each window
};

struct BenchReport {
  MachineLimits limits;
  std::vector<KernelChoice> kernels;
  BenchTime encoder;  // of a window
  std::vector<EncoderBatchTime> encoder_batches;
  std::vector<StepTime> steps;
};

// Measures the machine and the model on it. The windows are noise, as what they say does not
// matter, and as many tokens are taken as are needed. make_tools: see make_step_tools.
Result<BenchReport> run_bench(std::shared_ptr<const Weights> weights, const BenchOptions& options,
                              StepTools (*make_tools)(const at::Device&));

}  // namespace engine
