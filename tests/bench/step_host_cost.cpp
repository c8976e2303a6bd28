// How long the host is busy with a decode step of many rows, without the model's operations: they
// are recorded once and replayed as nothing, as a card would run them meanwhile. Prints a line of
// JSON: step_host_cost [ROWS].
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
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

int measure(int rows) {
  const c10::InferenceMode inference;
  auto model =
      load_batched_model(synthetic_weights(dims), Placement{},
                         {std::make_unique<StepGraphs>(std::make_unique<EmptyRecorder>()), nullptr},
                         {.windows = windows, .rows_per_window = (rows + windows - 1) / windows});
  if (!model) {
    std::fprintf(stderr, "%s\n", model.error().message.c_str());
    return 1;
  }
  std::vector<EncodedWindow> encoded;
  for (int i = 0; i < windows; ++i) encoded.push_back((*model)->encode(MelWindow(80 * 3000, 0.1F)));
  std::vector<std::unique_ptr<DecodeState>> states;
  std::vector<DecodeState*> decodes;
  std::vector<Prompt> prompts;
  for (int row = 0; row < rows; ++row) {
    states.push_back(
        (*model)->start(encoded[static_cast<std::size_t>(row % windows)], ChoiceOptions{}));
    decodes.push_back(states.back().get());
    prompts.push_back({decodes.back(), prompt});
  }
  auto last = (*model)->read_prompts(prompts);
  const auto replayed = [&model] {
    return static_cast<long long>((*model)->graphs().value_or(GraphState{}).replayed);
  };
  const long long before = replayed();
  std::vector<double> milliseconds;
  for (int i = 0; i < steps; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    auto next = (*model)->step(decodes);
    last->outcomes();
    last = std::move(next);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    milliseconds.push_back(took.count());
  }
  last->outcomes();
  std::ranges::sort(milliseconds);
  std::printf(
      "{\"rows\": %d, \"steps\": %d, \"replayed\": %lld, \"median_ms\": %.3f, "
      "\"shortest_ms\": %.3f}\n",
      rows, steps, replayed() - before, milliseconds[milliseconds.size() / 2],
      milliseconds.front());
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
