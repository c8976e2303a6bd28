#include "engine/whisper/runner/runner.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/load_toy.h"
#include "tests/engine/whisper/model/random_window.h"

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
    return Runner::start([] { return Result<std::unique_ptr<Model>>(load_toy(*toy_)); }).value();
  }
  static EncodedWindow encode(Runner& runner, int seed) {
    return runner.encode(random_window(static_cast<std::uint64_t>(seed))).value();
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
  EXPECT_EQ(runner->encode(MelWindow(12 * 34)).error().code, Errc::internal);
  EXPECT_TRUE(runner->encode(random_window(1)).has_value());
}

TEST_F(RunnerTest, AttendsBesideADecode) {
  const auto runner = make_runner();
  const EncodedWindow window = encode(*runner, 1);
  const auto alone = runner->decode(window, decoding(2), {}).value().tokens;
  auto decoded = std::async(std::launch::async,
                            [&] { return runner->decode(window, decoding(2), {}).value().tokens; });
  const auto found = runner->attend(window, {50258, 7, 8}, 50257, {{1, 1}});
  EXPECT_EQ(found->weights.size(), 3U * 1500);
  EXPECT_EQ(found->probabilities.size(), 2U);
  EXPECT_EQ(decoded.get(), alone);
  const std::vector<int> too_many(1000, 7);
  EXPECT_EQ(runner->attend(window, too_many, 50257, {{1, 1}}).error().code, Errc::internal);
}

TEST_F(RunnerTest, TheModelIsLoadedAndRunOnOneThread) {
  std::thread::id loaded_on;
  const auto runner = Runner::start([&] {
                        loaded_on = std::this_thread::get_id();
                        return Result<std::unique_ptr<Model>>(load_toy(*toy_));
                      }).value();
  EXPECT_NE(loaded_on, std::thread::id());
  EXPECT_NE(loaded_on, std::this_thread::get_id());
  EXPECT_EQ(runner->dims().n_vocab, ToyWeights::dims().n_vocab);
}

TEST_F(RunnerTest, WhatFailsInLoadingIsTheAnswer) {
  const auto refused = Runner::start([]() -> Result<std::unique_ptr<Model>> {
    return Error{Errc::refused_model, "no", ""};
  });
  EXPECT_EQ(refused.error().code, Errc::refused_model);
  const auto thrown =
      Runner::start([]() -> Result<std::unique_ptr<Model>> { throw std::bad_alloc(); });
  EXPECT_EQ(thrown.error().code, Errc::out_of_memory);
}

// A device is given back on the thread that opened it.
TEST_F(RunnerTest, WhatTheLoaderHoldsIsLetGoBehindTheModelOnTheDeviceThread) {
  struct Held {
    explicit Held(std::thread::id& where) : let_go_on(where) {}
    ~Held() { let_go_on = std::this_thread::get_id(); }
    std::thread::id& let_go_on;
  };
  std::thread::id loaded_on, let_go_on;
  auto runner = Runner::start([&loaded_on, held = std::make_shared<Held>(let_go_on)] {
                  loaded_on = std::this_thread::get_id();
                  return Result<std::unique_ptr<Model>>(load_toy(*toy_));
                }).value();
  EXPECT_EQ(let_go_on, std::thread::id());
  runner.reset();
  EXPECT_EQ(let_go_on, loaded_on);
}

TEST_F(RunnerTest, NumbersThatAreNoneBecomeATypedError) {
  const auto runner = make_runner();
  const auto window = runner->encode(MelWindow(80 * 3000, NAN)).value();
  EXPECT_EQ(runner->decode(window, decoding(1), {}).error().code, Errc::non_finite_logits);
}

}  // namespace
}  // namespace engine
