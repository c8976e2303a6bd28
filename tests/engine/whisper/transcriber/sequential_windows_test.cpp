#include "engine/whisper/transcriber/short_trial.h"
#include "tests/engine/whisper/transcriber/sequential_fixture.h"

// Which windows of a recording are encoded short.
namespace engine {
namespace {

// The model of this test has learned nothing, so what it says is in doubt.
TEST_F(SequentialTest, AShortWindowWhoseTextIsInDoubtIsDecodedOnceMoreInFull) {
  if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
  start_with(ShortWindows::by_default);
  options_.language = "en";
  transcribe(500);
  EXPECT_EQ(counts_.encodes, 2);
  EXPECT_EQ(counts_.prompts, 2);
  EXPECT_EQ(counts_.most_windows, 1u);
  EXPECT_EQ(runner_->window_counts(), (protocol::WindowCounts{.checked = 1}));
  ASSERT_FALSE(segments_.empty());
  EXPECT_EQ(segments_[0].encoder_window, WindowKind::checked);

  const std::vector<int> found = segments_[0].tokens;
  options_.encoder_window = EncoderWindow::full;
  transcribe(500);
  EXPECT_EQ(counts_.encodes, 1);
  EXPECT_EQ(segments_[0].encoder_window, WindowKind::full);
  EXPECT_EQ(segments_[0].tokens, found);
  EXPECT_EQ(runner_->window_counts(), (protocol::WindowCounts{.full = 1, .checked = 1}));
}

TEST_F(SequentialTest, WindowsAreShortIfTheModelWasMeasuredOrTheOptionsSaySo) {
  if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
  options_.language = "en";
  const auto encodes = [&](ShortWindows can, EncoderWindow wanted) {
    start_with(can);
    options_.encoder_window = wanted;
    transcribe(500);
    return counts_.encodes;  // two if the first window was short
  };
  EXPECT_EQ(encodes(ShortWindows::unsupported, EncoderWindow::shortened), 1);
  EXPECT_EQ(encodes(ShortWindows::on_request, EncoderWindow::automatic), 1);
  EXPECT_EQ(encodes(ShortWindows::on_request, EncoderWindow::shortened), 2);
  EXPECT_EQ(encodes(ShortWindows::by_default, EncoderWindow::automatic), 2);
  EXPECT_EQ(encodes(ShortWindows::by_default, EncoderWindow::full), 1);
  // A text without timestamps does not show that it ended early.
  options_.without_timestamps = true;
  EXPECT_EQ(encodes(ShortWindows::by_default, EncoderWindow::automatic), 1);
}

TEST_F(SequentialTest, ClipsInFullAreGivenToATrial) {
  ShortTrial trial(*runner_, tokenizer_);
  const ShortTrial::Pause pause(&trial);
  options_.language = "en";
  options_.short_trial = &trial;
  const auto transcribe_some = [&] {
    for (std::size_t i = 0; i < ShortTrial::most_waiting; ++i) transcribe(500);
  };
  options_.encoder_window = EncoderWindow::full;
  transcribe_some();
  EXPECT_TRUE(trial.wants_clip()) << "somebody has chosen";
  options_.encoder_window = EncoderWindow::automatic;
  transcribe_some();
  EXPECT_FALSE(trial.wants_clip());
}

}  // namespace
}  // namespace engine
