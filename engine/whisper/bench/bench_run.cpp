#include "engine/whisper/bench/bench_run.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/torch/device_graphs.h"
#include "engine/whisper/bench/bench.h"
#include "engine/whisper/bench/machine_limits.h"
#include "engine/whisper/bench/synthetic_weights.h"
#include "engine/whisper/weights/weights.h"
#include "platform/cpu.h"

namespace engine {
namespace {

namespace wire = protocol::worker;

// The most windows are as many as a worker takes jobs.
constexpr int most_windows = 64;

Result<std::shared_ptr<const Weights>> weights_for(const wire::Bench& request) {
  if (!request.synthetic.empty()) {
    const auto dims = dims_of_size(request.synthetic);
    if (!dims) return dims.error();
    return synthetic_weights(*dims);
  }
  auto read = read_weights(request.model_path);
  if (!read) return read.error();
  return std::make_shared<const Weights>(std::move(*read));
}

Result<void> check(const wire::Bench& request) {
  const bool fits = !request.batches.empty() && std::ranges::all_of(request.batches, [](int batch) {
    return batch >= 1 && batch <= most_windows;
  });
  if (fits && request.seconds >= 0 && request.seconds <= 600) return {};
  return Error{Errc::invalid_option, "a batch has 1 to 64 windows, and a figure takes up to 600 s",
               ""};
}

wire::BenchTime message_of(const BenchTime& time) {
  return {.ms = 1e3 * time.seconds,
          .ideal_ms = 1e3 * time.ideal.seconds,
          .bound = time.ideal.bound == Bound::compute ? "compute" : "memory",
          .giga_operations = time.work.operations / 1e9,
          .megabytes = time.work.bytes / 1e6};
}

void describe(const BenchReport& report, wire::BenchResult& result) {
  result.giga_operations_per_s = report.limits.operations_per_s / 1e9;
  result.gigabytes_per_s = report.limits.bytes_per_s / 1e9;
  for (const KernelChoice& choice : report.kernels) {
    result.kernels.push_back({choice.part, choice.kernel, choice.reason});
  }
  result.encoder = message_of(report.encoder);
  for (const StepTime& step : report.steps) {
    result.steps.push_back({.batch = step.batch,
                            .time = message_of(step.time),
                            .tokens_per_s = step.batch / step.time.seconds});
  }
}

}  // namespace

Result<wire::BenchResult> bench_whisper(const wire::Bench& request) {
  if (const auto fits = check(request); !fits) return fits.error();
  const auto device = parse_device(request.run_on.device);
  if (!device) return device.error();
  const platform::CpuFacts cpu = platform::probe_cpu();
  const auto type = choose_compute_type(request.run_on.compute_type, device->type(), cpu);
  if (!type) return type.error();
  auto weights = weights_for(request);
  if (!weights) return weights.error();
  const int threads = request.run_on.threads > 0 ? request.run_on.threads : cpu.physical_cores;
  const auto report = run_bench(*std::move(weights),
                                {.device = {*device, threads, request.run_on.flash_attn},
                                 .type = type->type,
                                 .batches = request.batches,
                                 .seconds = request.seconds},
                                make_step_graphs);
  if (!report) return report.error();
  wire::BenchResult result{.device = device_text(*device),
                           .device_name = device->is_cpu() ? cpu.model_name : device_name(*device),
                           .isa = cpu.isa(),
                           .compute_type = name(type->type),
                           .threads = threads,
                           .notes = {type->reason},
                           .cache_megabytes = static_cast<double>(cpu_cache_bytes()) / 1e6};
  describe(*report, result);
  return result;
}

}  // namespace engine
