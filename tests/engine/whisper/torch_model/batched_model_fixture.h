#pragma once

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/whisper/torch_model/batched_model.h"
#include "engine/whisper/torch_model/torch_model.h"
#include "tests/engine/torch/played_recorder.h"
#include "tests/engine/whisper/model/heard.h"
#include "tests/engine/whisper/model/random_window.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {

class BatchedModelTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    // Threads that wait for each other beside other tests take longer than one for the toy's work.
    at::set_num_threads(1);
    toy_ = new ToyWeights;
  }
  static void TearDownTestSuite() { delete toy_; }

  static std::unique_ptr<Model> load(std::unique_ptr<StepGraphs> graphs = nullptr,
                                     const MemoryWish& wish = {.windows = 5,
                                                               .rows_per_window = 3}) {
    return load_batched_model(toy_->weights(), Placement{}, {std::move(graphs), nullptr}, wish)
        .value();
  }
  static std::unique_ptr<StepGraphs> played(const std::shared_ptr<PlayedRecorder::Counts>& counts) {
    return std::make_unique<StepGraphs>(std::make_unique<PlayedRecorder>(counts));
  }
  static std::unique_ptr<Model> load_exact() {
    return load_torch_model(toy_->weights(), Placement{}).value();
  }
  static EncodedWindow encode(Model& model, std::uint64_t seed) {
    return model.encode(random_window(seed));
  }
  static void expect_near(const std::vector<float>& found, const std::vector<float>& expected,
                          const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    EXPECT_TRUE(at::allclose(at::tensor(found), at::tensor(expected), 1e-4, 1e-4)) << what;
  }

  static inline ToyWeights* toy_ = nullptr;
};

inline const std::vector<int> prompt{50258, 50259, 50359, 50363};

using ThreeMels = std::array<MelWindow, 3>;

inline ThreeMels full_mels() {
  return {random_window(0), random_window(1), random_window(2)};
}
// One of them is full.
inline ThreeMels mixed_mels() {
  return {short_window(0, 500), random_window(1), short_window(2, 1800)};
}
inline ThreeMels short_mels() {
  return {short_window(0, 500), short_window(1, 130), short_window(2, 1800)};
}

// Decodes of three windows, greedy, with beams and with samples, that come, go and wait.
struct Conversation {
  explicit Conversation(Model& model, const ThreeMels& mels = full_mels()) {
    for (std::size_t i = 0; i < windows.size(); ++i) windows[i] = model.encode(mels[i]);
    auto greedy = begin(model, 0, ChoiceOptions{});
    const auto search = begin(model, 1, beams(3));
    for (int i = 0; i < 4; ++i) step(model, {greedy, search});
    for (int i = 0; i < 4; ++i) step(model, {search});
    step(model, {search, greedy});
    greedy->state.reset();
    step(model, {search});
    const auto several = begin(model, 1, samples(2));
    const auto late = begin(model, 2, beams(5));
    for (int i = 0; i < 70; ++i)
      step(model, {late, several, search});  // across a boundary of lengths
  }

  HeardDecode* begin(Model& model, std::size_t window, const ChoiceOptions& options) {
    decodes.push_back(std::make_unique<HeardDecode>(model, windows[window], options, prompt));
    at.push_back(window);
    return decodes.back().get();
  }

  std::array<EncodedWindow, 3> windows;
  std::vector<std::unique_ptr<HeardDecode>> decodes;
  std::vector<std::size_t> at;  // the window of each
};

// Keeps what the first step does that is to be recorded, and records nothing.
class CountingRecorder : public StepRecorder {
 public:
  explicit CountingRecorder(std::vector<LoggedOperation>& operations) : operations_(operations) {}
  Recording record(const Step& step) override {
    const OperationLog log;
    Recording made{step(), nullptr, "counted"};
    if (operations_.empty()) operations_ = log.operations();
    return made;
  }
  void begin_generation() override {}

 private:
  std::vector<LoggedOperation>& operations_;
};

// It does not run again what it has recorded, as a host does that only says "again".
class SilentRecorder : public StepRecorder {
 public:
  Recording record(const Step& step) override {
    const OperationLog log;
    Recording made;
    made.result = step();
    operations = log.operations();
    made.recorded = std::make_unique<Silent>(made.result);
    return made;
  }
  void begin_generation() override {}

  static inline std::vector<LoggedOperation> operations;  // of the last step that was recorded

 private:
  struct Silent : RecordedStep {
    explicit Silent(at::Tensor said) : result(std::move(said)) {}
    at::Tensor replay() override { return result; }
    at::Tensor result;
  };
};

// Returns how many operations are computed before the first layer norm, from each norm to the next,
// and from the last one on.
inline std::vector<int> computations_by_norm(std::span<const LoggedOperation> operations) {
  std::vector<int> counts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= operations.size(); ++i) {
    if (i < operations.size() && operations[i].name != "aten::layer_norm") continue;
    counts.push_back(computations(operations.subspan(begin, i - begin)));
    begin = i;
  }
  return counts;
}

// These operations wait for a device, in a step that is recorded or beside it.
inline bool waits(const LoggedOperation& operation) {
  static const std::set<std::string> waiting{"aten::item", "aten::_local_scalar_dense",
                                             "aten::nonzero", "aten::is_nonzero", "aten::equal"};
  return waiting.contains(operation.name);
}

}  // namespace engine
