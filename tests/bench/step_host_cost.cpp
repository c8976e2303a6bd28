// How long the host is busy with a decode step of many rows, an encode of eight windows and eight
// prompts, without the model's operations: they are recorded and replayed as nothing, as a card
// would run them meanwhile. Prints a line of JSON: step_host_cost [ROWS].
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/torch/step_graphs.h"
#include "engine/whisper/bench/synthetic_weights.h"
#include "engine/whisper/torch_model/batched_model.h"

namespace {

using namespace engine;

class NothingRecorded : public RecordedStep {
 public:
  explicit NothingRecorded(at::Tensor result) : result_(std::move(result)) {}
  at::Tensor replay() override { return result_; }

 private:
  at::Tensor result_;
};

class EmptyRecorder : public StepRecorder {
 public:
  Recording record(const Step& step) override {
    at::Tensor result = step();
    return {result, std::make_unique<NothingRecorded>(result), {}};
  }
  void begin_generation() override {}
};

// The vocabulary is whole, as choosing goes over it; the rest is small, since it is not computed.
constexpr ModelDims dims{80, 1500, 64, 1, 1, 51865, 448, 64, 1, 1};
constexpr int windows = 8;
constexpr int steps = 200;
constexpr int prompt[]{50258, 50259, 50359, 50363};

constexpr int batches = 20;

// Returns the times that a piece of work takes, in milliseconds, the shortest first.
template <class Work>
std::vector<double> sorted_times(int times, Work work) {
  std::vector<double> milliseconds;
  for (int i = 0; i < times; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    milliseconds.push_back(took.count());
  }
  std::ranges::sort(milliseconds);
  return milliseconds;
}

double median(const std::vector<double>& sorted) {
  return sorted[sorted.size() / 2];
}

int measure(int rows) {
  const c10::InferenceMode inference;
  auto loaded =
      load_batched_model(synthetic_weights(dims), Placement{},
                         {std::make_unique<StepGraphs>(std::make_unique<EmptyRecorder>()), nullptr},
                         {.windows = windows, .rows_per_window = (rows + windows - 1) / windows});
  if (!loaded) {
    std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
    return 1;
  }
  Model& model = **loaded;
  // The first two batches are not replayed, and no median is one of them.
  const std::vector<MelWindow> mels(windows, MelWindow(80 * 3000, 0.1F));
  const auto encodes = sorted_times(batches, [&] { model.encode(mels); });
  const std::vector<EncodedWindow> encoded = model.encode(mels);
  std::vector<std::unique_ptr<DecodeState>> states;
  std::vector<DecodeState*> decodes;
  std::vector<Prompt> prompts;
  for (int row = 0; row < rows; ++row) {
    states.push_back(model.start(encoded[static_cast<std::size_t>(row % windows)], {}));
    decodes.push_back(states.back().get());
    prompts.push_back({decodes.back(), prompt});
  }
  const auto some = std::span(prompts).first(std::min(prompts.size(), mels.size()));
  const auto reads = sorted_times(batches, [&] { model.read_prompts(some)->outcomes(); });
  auto last = model.read_prompts(prompts);
  const auto replayed = [&model] {
    return static_cast<long long>(model.graphs().value_or(GraphState{}).replayed);
  };
  const long long before = replayed();
  const auto taken = sorted_times(steps, [&] {
    auto next = model.step(decodes);
    last->outcomes();
    last = std::move(next);
  });
  last->outcomes();
  std::printf(
      "{\"rows\": %d, \"steps\": %d, \"replayed\": %lld, \"median_ms\": %.3f, "
      "\"shortest_ms\": %.3f, \"encode_ms\": %.3f, \"windows\": %zu, \"prompts_ms\": %.3f, "
      "\"prompts\": %zu}\n",
      rows, steps, replayed() - before, median(taken), taken.front(), median(encodes), mels.size(),
      median(reads), some.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 128;
  if (rows < 1 || rows > 1024) {
    std::fprintf(stderr, "step_host_cost [ROWS], 1 to 1024\n");
    return 2;
  }
  return measure(rows);
}
