#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "engine/torch/device.h"
#include "engine/whisper/runner/runner.h"
#include "engine/whisper/torch_model/batched_model.h"
#include "engine/whisper/torch_model/torch_model.h"
#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/random_window.h"
#include "tests/engine/whisper/model/toy_weights.h"

// The runner with the models of libtorch's operations, that of GPUs on this CPU.
namespace engine {
namespace {

class BatchedRunnerTest : public ::testing::Test {
 protected:
  BatchedRunnerTest() { at::set_num_threads(1); }

  std::unique_ptr<Runner> plain() {
    return Runner::start([this] { return load_torch_model(toy_.weights(), Placement{}); }).value();
  }
  std::vector<int> decode(Runner& runner, int beams, double temperature) const {
    DecodingOptions options;
    options.beam_size = beams;
    options.best_of = 3;
    options.temperature = temperature;
    options.sample_len = 100;
    options.seed = 11;
    const auto window = runner.encode(random_window(1)).value();
    auto decoding = WindowDecoding::create(options, tokenizer_, ToyWeights::dims()).value();
    return runner.decode(window, std::move(decoding), {}).value().tokens;
  }

  ToyWeights toy_;
  Tokenizer tokenizer_ = byte_tokenizer();
};

TEST_F(BatchedRunnerTest, ABatchedModelDecodesTheSameTokens) {
  const auto one_by_one = plain();
  const auto batched =
      Runner::start([this] { return load_batched_model(toy_.weights(), Placement{}, {}); }).value();
  for (const int beams : {1, 4}) {
    EXPECT_EQ(decode(*batched, beams, 0), decode(*one_by_one, beams, 0)) << beams << " beams";
  }
  const auto samples = decode(*batched, 1, 0.8);
  EXPECT_FALSE(samples.empty());
  EXPECT_EQ(decode(*one_by_one, 1, 0.8), samples);
}

TEST_F(BatchedRunnerTest, PlainAttentionGivesTheSameTokens) {
  const auto runner = plain();
  const auto tokens = [&](bool fused) {
    allow_fused_attention(fused);
    return decode(*runner, 1, 0);
  };
  const std::vector<int> plain_tokens = tokens(false);
  EXPECT_EQ(plain_tokens, tokens(true)) << "which stays, for other tests";
}

// A model on libtorch tells its own errors.
TEST_F(BatchedRunnerTest, AWindowOfTheWrongSizeIsTheFailureOfItsOwnWork) {
  const auto runner = plain();
  EXPECT_EQ(runner->encode(MelWindow(12 * 34)).error().code, Errc::internal);
  EXPECT_TRUE(runner->encode(random_window(1)).has_value());
}

}  // namespace
}  // namespace engine
