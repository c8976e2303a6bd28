#include "engine/whisper/runner/runner.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "engine/whisper/model/batched_model.h"
#include "engine/whisper/model/torch_model.h"
#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {
namespace {

class RunnerTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    toy_ = new ToyWeights;
    tokenizer_ = new Tokenizer(byte_tokenizer());
  }
  static void TearDownTestSuite() {
    delete tokenizer_;
    delete toy_;
  }

  static std::unique_ptr<Runner> make_runner() {
    const auto load = [] { return load_torch_model(toy_->weights(), Placement{}); };
    return Runner::start({at::kCPU, 1}, load).value();
  }
  static EncodedWindow encode(Runner& runner, int seed) {
    at::manual_seed(static_cast<std::uint64_t>(seed));
    return runner.encode(at::randn({80, 3000})).value();
  }
  static WindowDecoding decoding(int beam_size, double temperature = 0, int sample_len = 12) {
    DecodingOptions options;
    options.beam_size = beam_size;
    options.best_of = 3;
    options.temperature = temperature;
    options.sample_len = sample_len;
    options.seed = 11;
    return WindowDecoding::create(options, *tokenizer_, ToyWeights::dims()).value();
  }

  static ToyWeights* toy_;
  static Tokenizer* tokenizer_;
};
ToyWeights* RunnerTest::toy_ = nullptr;
Tokenizer* RunnerTest::tokenizer_ = nullptr;

TEST_F(RunnerTest, DecodesTogetherWhatItDecodesAlone) {
  const auto runner = make_runner();
  const EncodedWindow first = encode(*runner, 1);
  const EncodedWindow second = encode(*runner, 2);
  const auto decode = [&](const EncodedWindow& window, int beams, double temperature) {
    return runner->decode(window, decoding(beams, temperature), {}).value().tokens;
  };
  const auto greedy = decode(first, 1, 0);
  const auto beams = decode(second, 4, 0);
  const auto sampled = decode(second, 1, 0.8);
  auto a = std::async(std::launch::async, decode, first, 1, 0);
  auto b = std::async(std::launch::async, decode, second, 4, 0);
  auto c = std::async(std::launch::async, decode, second, 1, 0.8);
  EXPECT_EQ(a.get(), greedy);
  EXPECT_EQ(b.get(), beams);
  EXPECT_EQ(c.get(), sampled);
  EXPECT_FALSE(greedy.empty());
}

// The model of GPUs, on this CPU.
TEST_F(RunnerTest, ABatchedModelDecodesTheSameTokens) {
  const auto plain = make_runner();
  const auto batched = Runner::start({at::kCPU, 1}, [] {
                         return load_batched_model(toy_->weights(), Placement{}, {});
                       }).value();
  const auto decode = [&](Runner& runner, int beams, double temperature) {
    return runner.decode(encode(runner, 1), decoding(beams, temperature, 100), {}).value().tokens;
  };
  for (const int beams : {1, 4}) {
    EXPECT_EQ(decode(*batched, beams, 0), decode(*plain, beams, 0)) << beams << " beams";
  }
  const auto samples = decode(*batched, 1, 0.8);
  EXPECT_FALSE(samples.empty());
  EXPECT_EQ(decode(*batched, 1, 0.8), samples) << "which are others than on the host";
}

TEST_F(RunnerTest, SeveralOfOneWindowComeBackInTheirOrder) {
  const auto runner = make_runner();
  const EncodedWindow window = encode(*runner, 1);
  const auto alone = [&](int beams, int length) {
    return runner->decode(window, decoding(beams, 0, length), {}).value().tokens;
  };
  std::vector<WindowDecoding> three;
  for (const int length : {12, 3, 7}) three.push_back(decoding(1, 0, length));
  const auto together = runner->decode_together(window, std::move(three), {}).value();
  ASSERT_EQ(together.size(), 3u);
  EXPECT_EQ(together[0].tokens, alone(1, 12));
  EXPECT_EQ(together[1].tokens, alone(1, 3));
  EXPECT_EQ(together[2].tokens, alone(1, 7));
  std::stop_source stop;
  stop.request_stop();
  std::vector<WindowDecoding> stopped;
  stopped.push_back(decoding(1, 0, 400));
  const auto cancelled = runner->decode_together(window, std::move(stopped), stop.get_token());
  EXPECT_EQ(cancelled.error().code, Errc::cancelled);
}

TEST_F(RunnerTest, AStopRequestEndsADecodeAlone) {
  const auto runner = make_runner();
  const EncodedWindow window = encode(*runner, 1);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = runner->decode(window, decoding(1, 0, 400), stop.get_token());
  EXPECT_EQ(stopped.error().code, Errc::cancelled);
  EXPECT_TRUE(runner->decode(window, decoding(1), {}).has_value());
}

TEST_F(RunnerTest, AFailureIsTheAnswerOfItsOwnWork) {
  const auto runner = make_runner();
  EXPECT_EQ(runner->encode(at::randn({12, 34})).error().code, Errc::internal);
  EXPECT_TRUE(runner->encode(at::randn({80, 3000})).has_value());
}

TEST_F(RunnerTest, AttendsBesideADecode) {
  const auto runner = make_runner();
  const EncodedWindow window = encode(*runner, 1);
  const auto alone = runner->decode(window, decoding(2), {}).value().tokens;
  auto decoded = std::async(std::launch::async,
                            [&] { return runner->decode(window, decoding(2), {}).value().tokens; });
  const auto found = runner->attend(window, {50258, 7, 8}, 50257, {{1, 1}});
  EXPECT_EQ(found->weights.sizes(), (std::vector<std::int64_t>{1, 3, 1500}));
  EXPECT_EQ(decoded.get(), alone);
  const std::vector<int> too_many(1000, 7);
  EXPECT_EQ(runner->attend(window, too_many, 50257, {{1, 1}}).error().code, Errc::internal);
}

TEST_F(RunnerTest, TheModelIsLoadedAndRunOnOneThread) {
  std::thread::id loaded_on;
  const auto runner = Runner::start({}, [&] {
                        loaded_on = std::this_thread::get_id();
                        return load_torch_model(toy_->weights(), Placement{});
                      }).value();
  EXPECT_NE(loaded_on, std::thread::id());
  EXPECT_NE(loaded_on, std::this_thread::get_id());
  EXPECT_EQ(runner->dims().n_vocab, ToyWeights::dims().n_vocab);
}

TEST_F(RunnerTest, WhatFailsInLoadingIsTheAnswer) {
  const auto refused = Runner::start({}, []() -> Result<std::unique_ptr<Model>> {
    return Error{Errc::refused_model, "no", ""};
  });
  EXPECT_EQ(refused.error().code, Errc::refused_model);
  const auto thrown =
      Runner::start({}, []() -> Result<std::unique_ptr<Model>> { throw std::bad_alloc(); });
  EXPECT_EQ(thrown.error().code, Errc::out_of_memory);
}

TEST_F(RunnerTest, ADeviceThatIsNotThereIsAnErrorWithLibtorchsWords) {
  if (at::hasCUDA()) GTEST_SKIP() << "there is one";
  bool loaded = false;
  const auto runner = Runner::start({at::Device(at::kCUDA, 0)}, [&] {
    loaded = true;
    return load_torch_model(toy_->weights(), Placement{});
  });
  EXPECT_EQ(runner.error().code, Errc::device_unavailable);
  EXPECT_NE(runner.error().message.find("CUDA"), std::string::npos);
  EXPECT_FALSE(loaded);
}

TEST_F(RunnerTest, PlainAttentionGivesTheSameTokens) {
  const auto runner = make_runner();
  const auto tokens = [&](bool fused) {
    allow_fused_attention(fused);
    return runner->decode(encode(*runner, 3), decoding(1), {}).value().tokens;
  };
  EXPECT_EQ(tokens(false), tokens(true));
}

TEST_F(RunnerTest, NumbersThatAreNoneBecomeATypedError) {
  const auto runner = make_runner();
  const auto window = runner->encode(at::full({80, 3000}, NAN)).value();
  EXPECT_EQ(runner->decode(window, decoding(1), {}).error().code, Errc::non_finite_logits);
}

}  // namespace
}  // namespace engine
