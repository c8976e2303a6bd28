#include "engine/whisper/transcriber/short_trial.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/load_toy.h"
#include "tests/engine/whisper/model/random_window.h"

namespace engine {
namespace {

// A model that has learned nothing: the text of its short window is in doubt, so that of the full
// one counts, which is the same text.
class ShortTrialTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
    runner_ = Runner::start([this]() -> Result<std::unique_ptr<Model>> {
                return load_toy(toy_);
              }).value();
  }

  ShortTrial::Clip clip() const {
    ShortTrial::Clip clip{.mel = random_window(3), .text = "A b c."};
    clip.mel.frames = 500;
    clip.decoding.sample_len = 4;
    return clip;
  }
  ShortTrial::Clip clip_that_fails() const {
    ShortTrial::Clip clip = this->clip();
    clip.decoding.language = "no language";
    return clip;
  }
  // Gives so many clips, each as soon as one is wanted.
  void give(std::size_t count, const ShortTrial::Clip& clip) {
    for (std::size_t i = 0; i < count; ++i) {
      while (!trial().wants_clip()) std::this_thread::yield();
      trial().add(clip);
    }
  }
  void wait_for(const std::string& state) {
    while (!trial().state().starts_with(state)) std::this_thread::yield();
  }
  ShortTrial& trial() {
    if (!trial_) trial_.emplace(*runner_, tokenizer_, std::chrono::milliseconds(0));
    return *trial_;
  }

  ToyWeights toy_{};
  Tokenizer tokenizer_ = byte_tokenizer();
  std::unique_ptr<Runner> runner_;
  std::optional<ShortTrial> trial_;
};

TEST_F(ShortTrialTest, WindowsAreShortWhenTheTextsOfEnoughClipsAgree) {
  give(ShortTrial::clips - 1, clip());
  wait_for("full until 20 clips were compared; 19 are");
  EXPECT_NE(runner_->short_windows(), ShortWindows::by_default);
  give(1, clip());
  wait_for("short: 0.0 % of the words differed in 20 clips");
  EXPECT_EQ(runner_->short_windows(), ShortWindows::by_default);
  EXPECT_FALSE(trial().wants_clip());
}

TEST_F(ShortTrialTest, WindowsStayFullWhenMoreThanFiveInAHundredWordsDiffer) {
  give(2, clip_that_fails());
  give(ShortTrial::clips - 2, clip());
  wait_for("full: 10.0 % of the words differed in 20 clips");
  EXPECT_NE(runner_->short_windows(), ShortWindows::by_default);
}

TEST_F(ShortTrialTest, OneClipInTwentyMayDiffer) {
  give(1, clip_that_fails());
  give(ShortTrial::clips - 1, clip());
  wait_for("short: 5.0 %");
}

TEST_F(ShortTrialTest, NothingIsDecodedWhileATranscriptionIsUnderWay) {
  {
    const ShortTrial::Pause pause(&trial());
    while (trial().wants_clip()) trial().add(clip());
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(runner_->encode(random_window(3)));
    EXPECT_TRUE(trial().state().ends_with("; 0 are"));
    EXPECT_FALSE(trial().wants_clip()) << "few clips wait, since each has a megabyte";
  }
  wait_for("full until 20 clips were compared; 4 are");
}

TEST_F(ShortTrialTest, EndsWithClipsThatWait) {
  const ShortTrial::Pause pause(nullptr);
  while (trial().wants_clip()) trial().add(clip());
  trial_.reset();
  EXPECT_TRUE(runner_->encode(random_window(3)));
}

}  // namespace
}  // namespace engine
