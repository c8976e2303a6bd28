#include "engine/whisper/bench/bench.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <utility>

#include "engine/torch/device.h"
#include "engine/torch/torch_error.h"
#include "engine/whisper/bench/best_time.h"
#include "engine/whisper/bench/machine_limits.h"
#include "engine/whisper/model/cpu_model.h"
#include "engine/whisper/torch_model/torch_model.h"

namespace engine {
namespace {

constexpr std::array<int, 4> prompt{1, 2, 3, 4};
constexpr int steps_of_a_decode = 32;

MelWindow random_window(const ModelDims& dims) {
  std::minstd_rand generator;
  std::normal_distribution<float> normal(0, 0.3F);
  MelWindow window(static_cast<std::size_t>(dims.n_mels * 2 * dims.n_audio_ctx));
  std::ranges::generate(window, [&] { return normal(generator); });
  return window;
}

BenchTime rated(double seconds, const Work& work, const MachineLimits& limits) {
  return {seconds, work, ideal_time(work, limits)};
}

// Leaves so many encoded windows behind.
double time_encoder(Model& model, const Placement& placement, std::size_t n_windows,
                    double budget_s, std::vector<EncodedWindow>& windows) {
  const MelWindow mel = random_window(model.dims());
  BestTime best(budget_s);
  while (best.wants_more() || windows.size() < n_windows) {
    EncodedWindow window;
    best.measure([&] {
      window = model.encode(mel);
      wait_for_device(placement.device);
    });
    if (windows.size() < n_windows) windows.push_back(std::move(window));
  }
  return best.seconds();
}

std::vector<EncoderBatchTime> time_encoder_batches(Model& model, const Placement& placement,
                                                   const BenchOptions& options) {
  std::vector<int> batches = options.encoder_batches;
  const int at_once = model.encodes_at_once();
  if (placement.on_cpu() && at_once > 1) batches = {at_once};
  std::vector<EncoderBatchTime> times;
  for (const int batch : batches) {
    const MelWindow mel = random_window(model.dims());
    const std::vector<MelWindow> mels(static_cast<std::size_t>(batch), mel);
    BestTime best(options.seconds);
    while (best.wants_more()) {
      best.measure([&] {
        const auto windows = model.encode(mels);
        wait_for_device(placement.device);
      });
    }
    times.push_back({batch, best.seconds() / batch});
  }
  return times;
}

// Each window has one row. Where steps are only enqueued, the outcomes of one are read while the
// device does the next, as it is in a transcription.
double time_step(Model& model, std::span<const EncodedWindow> windows, double budget_s) {
  BestTime best(budget_s, /*least=*/20);
  while (best.wants_more()) {
    std::vector<std::unique_ptr<DecodeState>> states;
    std::vector<Prompt> prompts;
    std::vector<DecodeState*> decodes;
    for (const EncodedWindow& window : windows) {
      states.push_back(model.start(window, ChoiceOptions{}));
      decodes.push_back(states.back().get());
      prompts.push_back({decodes.back(), prompt});
    }
    auto last = model.read_prompts(prompts);
    for (int i = 0; i < steps_of_a_decode && best.wants_more(); ++i) {
      best.measure([&] {
        auto next = model.step(decodes);
        last->outcomes();
        last = std::move(next);
      });
    }
    last->outcomes();
  }
  return best.seconds();
}

BenchReport measure(Model& model, const Placement& placement, const BenchOptions& options,
                    const NumberSizes& sizes) {
  BenchReport report;
  report.encoder_batches = time_encoder_batches(model, placement, options);
  // Weights in int8 are multiplied in the placement's type.
  report.limits =
      measure_limits({placement.device, placement.type}, options.device.threads, options.seconds);
  const auto most = static_cast<std::size_t>(std::ranges::max(options.batches));
  std::vector<EncodedWindow> windows;
  const double encoder_s = time_encoder(model, placement, most, options.seconds, windows);
  const ModelDims& dims = model.dims();
  report.encoder = rated(encoder_s, encoder_work(dims, sizes), report.limits);
  for (const int batch : options.batches) {
    const auto some = std::span(windows).first(static_cast<std::size_t>(batch));
    constexpr int length = static_cast<int>(prompt.size()) + steps_of_a_decode / 2;
    report.steps.push_back({batch, rated(time_step(model, some, options.seconds),
                                         step_work(dims, sizes, batch, length), report.limits)});
  }
  return report;
}

}  // namespace

Result<BenchReport> run_bench(std::shared_ptr<const Weights> weights, const BenchOptions& options,
                              StepTools (*make_tools)(const at::Device&)) {
  const c10::InferenceMode inference;
  const auto opened = torch_device(options.device.device);
  if (!opened) return opened.error();
  const Placement placement = placement_of(*opened, options.type);
  try {
    DeviceOptions device = options.device;
    // The CPU's kernels have threads of their own, beside which libtorch's would be in the way.
    const auto isa = placement.on_cpu() ? kernels::isa_of_this_cpu() : std::nullopt;
    if (isa) device.threads = 1;
    open_device(*opened, device);
    StepTools tools = make_tools(*opened);
    const NumberSizes sizes =
        placement.on_cpu()
            ? sizes_on_cpu(options.type, isa && keeps_half_weights(*weights, options.type))
            : sizes_on_gpu(options.type);
    std::vector<std::string> notes;  // weights without a file have none
    // One window more is encoded while all are kept.
    int most = std::ranges::max(options.batches) + 1;
    for (const int batch : options.encoder_batches) most = std::max(most, batch);
    const MemoryWish wish{.windows = most, .rows_per_window = 1};
    auto model = isa ? load_cpu_model(std::move(weights), options.type, *isa,
                                      options.device.threads, wish, notes)
                     : load_torch_model(std::move(weights), placement, std::move(tools), wish);
    if (!model) return model.error();
    BenchReport report = measure(**model, placement, options, sizes);
    report.kernels = kernel_choices(placement, options.device.flash_attn, (*model)->graphs(),
                                    (*model)->kernels());
    return report;
  } catch (...) {
    return error_of_torch_exception("bench");
  }
}

}  // namespace engine
