#include "engine/whisper/bench/bench_run.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/torch/device.h"
#include "engine/whisper/bench/bench.h"
#include "engine/whisper/bench/card_model.h"
#include "engine/whisper/bench/machine_limits.h"
#include "engine/whisper/bench/synthetic_weights.h"
#include "engine/whisper/weights/weights.h"
#include "platform/cpu.h"

namespace engine {
namespace {

namespace wire = protocol::worker;

// A card's model has as many windows as any card may hold.
constexpr int most_windows = 128;
constexpr int most_windows_of_a_card = 1024;

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
  const int most = request.model_of.empty() ? most_windows : most_windows_of_a_card;
  const bool fits =
      !request.batches.empty() &&
      std::ranges::all_of(request.batches, [&](int batch) { return batch >= 1 && batch <= most; });
  if (fits && request.seconds >= 0 && request.seconds <= 600) return {};
  return Error{
      Errc::invalid_option,
      "a batch has 1 to " + std::to_string(most) + " windows, and a figure takes up to 600 s", ""};
}

const char* name_of(Bound bound) {
  return bound == Bound::compute ? "compute" : "memory";
}

wire::BenchTime message_of(const BenchTime& time) {
  return {.ms = 1e3 * time.seconds,
          .ideal_ms = 1e3 * time.ideal.seconds,
          .bound = name_of(time.ideal.bound),
          .giga_operations = time.work.operations / 1e9,
          .megabytes = time.work.bytes / 1e6};
}

// The model on a CPU says itself by how many windows it gains, if it does.
std::vector<int> encoder_batches_on(const Device& device) {
  if (device.is_cpu()) return {};
  return {4, 16};
}

void describe(const BenchReport& report, wire::BenchResult& result) {
  for (const EncoderBatchTime& time : report.encoder_batches) {
    result.encoder_batches.push_back({time.batch, 1e3 * time.seconds});
  }
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

wire::BenchCardStep message_of(const CardStep& step, const ModelDims& dims) {
  return {.batch = step.batch,
          .megabytes = step.work.bytes / 1e6,
          .giga_operations = step.work.operations / 1e9,
          .ideal_ms = 1e3 * step.ideal.seconds,
          .bound = name_of(step.ideal.bound),
          .launches = fused_path.launches(dims),
          .ms = 1e3 * step.fused_s,
          .launches_of_libtorch = step.libtorch_launches,
          .ms_of_libtorch = 1e3 * step.libtorch_s,
          .tokens_per_s = step.batch / step.fused_s,
          .times_real_time = step.real_time,
          .fits = step.fits};
}

wire::BenchCard message_of(const CardModel& model, const ModelDims& dims, ComputeType type) {
  const Card& card = model.card;
  const double operations_per_s =
      type == ComputeType::float32 ? card.single_operations_per_s : card.half_operations_per_s;
  wire::BenchCard message{.name = std::string(card.title),
                          .giga_operations_per_s = operations_per_s / 1e9,
                          .gigabytes_per_s = card.bytes_per_s / 1e9,
                          .memory_gigabytes = card.memory_bytes / 1e9,
                          .launch_us = 1e6 * launch_s,
                          .encoder = message_of({0, model.encoder, model.encoder_ideal})};
  for (const CardStep& step : model.steps) message.steps.push_back(message_of(step, dims));
  return message;
}

// Computes what a card's published figures allow; no weights are made and nothing is run.
Result<wire::BenchResult> model_a_card(const wire::Bench& request) {
  const auto card = card_of(request.model_of);
  if (!card) return card.error();
  const auto dims = dims_of_size(request.synthetic);
  if (!dims) return dims.error();
  const auto type = choose_compute_type(request.run_on.compute_type, Device{DeviceKind::cuda, 0},
                                        platform::probe_cpu());
  if (!type) return type.error();
  wire::BenchResult result{.compute_type = name(type->type), .notes = {type->reason}};
  result.card = message_of(model_of(*card, *dims, type->type, request.batches), *dims, type->type);
  return result;
}

}  // namespace

Result<wire::BenchResult> bench_whisper(const wire::Bench& request) {
  if (const auto fits = check(request); !fits) return fits.error();
  if (!request.model_of.empty()) return model_a_card(request);
  const auto device = parse_device(request.run_on.device);
  if (!device) return device.error();
  const auto on_libtorch = torch_device(*device);
  if (!on_libtorch) return on_libtorch.error();
  const platform::CpuFacts cpu = platform::probe_cpu();
  const auto type = choose_compute_type(request.run_on.compute_type, *device, cpu);
  if (!type) return type.error();
  auto weights = weights_for(request);
  if (!weights) return weights.error();
  const int threads = request.run_on.threads > 0 ? request.run_on.threads : cpu.physical_cores;
  const auto report = run_bench(*std::move(weights),
                                {.device = {*device, threads, request.run_on.flash_attn},
                                 .type = type->type,
                                 .batches = request.batches,
                                 .encoder_batches = encoder_batches_on(*device),
                                 .seconds = request.seconds},
                                make_step_tools);
  if (!report) return report.error();
  wire::BenchResult result{
      .device = device_text(*device),
      .device_name = device->is_cpu() ? cpu.model_name : device_name(*on_libtorch),
      .isa = cpu.isa(),
      .compute_type = name(type->type),
      .threads = threads,
      .notes = {type->reason},
      .cache_megabytes = static_cast<double>(cpu_cache_bytes()) / 1e6};
  describe(*report, result);
  return result;
}

}  // namespace engine
