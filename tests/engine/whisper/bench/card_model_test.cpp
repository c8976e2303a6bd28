#include "engine/whisper/bench/card_model.h"

#include <gtest/gtest.h>

#include "engine/whisper/bench/synthetic_weights.h"

namespace engine {
namespace {

ModelDims large_v3() {
  return dims_of_size("large-v3").value();
}

CardModel model(const char* card, const std::vector<int>& batches,
                ComputeType type = ComputeType::float16) {
  return model_of(card_of(card).value(), large_v3(), type, batches);
}

TEST(CardModel, EveryCardIsKnownAndAnotherIsRefusedWithTheirNames) {
  for (const char* name : {"h100", "h200", "4090", "a10", "l4"}) {
    EXPECT_TRUE(card_of(name)) << name;
  }
  const auto unknown = card_of("voodoo2");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::invalid_option);
  EXPECT_NE(unknown.error().fix.find("h100 h200 4090 a10 l4"), std::string::npos);
}

// One token reads every weight of the decoder, 815 million, and the keys and values of a window.
TEST(CardModel, AStepOfOneRowIsBoundByMemory) {
  const CardStep step = model("h100", {1}).steps.at(0);
  EXPECT_EQ(step.ideal.bound, Bound::memory);
  const double weights = 32 * 14 * 1280.0 * 1280 + 1280.0 * 51866;
  const double window = 2.0 * 32 * 1280 * (1500 + 54);
  EXPECT_DOUBLE_EQ(step.work.bytes, 2 * (weights + window));
  EXPECT_DOUBLE_EQ(step.ideal.seconds, step.work.bytes / 3350e9);
}

TEST(CardModel, LaunchesComeOnTopOfWhatMustBeRead) {
  const CardStep step = model("h200", {16}).steps.at(0);
  EXPECT_NEAR(step.fused_s - step.ideal.seconds, (8 * 32 + 4) * 0.5e-6, 1e-12);
  EXPECT_NEAR(step.libtorch_s - step.ideal.seconds, (17 * 32 + 58) * 0.5e-6, 1e-12);
}

TEST(CardModel, SpeedCountsTheEncoderAndTheTokensOfAWindow) {
  const CardModel h100 = model("h100", {128});
  const CardStep& step = h100.steps.at(0);
  const double window_s = h100.encoder_ideal.seconds + 100 * step.fused_s / 128;
  EXPECT_DOUBLE_EQ(step.real_time, 30 / window_s);
  EXPECT_EQ(h100.encoder_ideal.bound, Bound::compute);
}

// The aims for H100 and H200 are within what the cards allow by their data sheets.
TEST(CardModel, TheAimsAreWithinReach) {
  for (const char* card : {"h100", "h200"}) {
    const CardModel large = model(card, {1, 128});
    EXPECT_LT(large.encoder_ideal.seconds, 6e-3) << card;
    EXPECT_LT(large.steps[0].fused_s, 0.9e-3) << card;
    EXPECT_GT(large.steps[1].real_time, 1000) << card;
    const CardModel turbo = model_of(card_of(card).value(), dims_of_size("turbo").value(),
                                     ComputeType::float16, {1, 128});
    EXPECT_LT(turbo.steps[0].fused_s, 0.25e-3) << card;
    EXPECT_GT(turbo.steps[1].real_time, 2000) << card;
  }
}

TEST(CardModel, ManyWindowsDoNotFitIntoASmallCard) {
  const CardModel l4 = model("l4", {1, 16, 128});
  EXPECT_TRUE(l4.steps[0].fits);
  EXPECT_TRUE(l4.steps[1].fits);
  EXPECT_FALSE(l4.steps[2].fits);
  EXPECT_TRUE(model("h100", {128}).steps[0].fits);
}

TEST(CardModel, Float32ReadsTwiceAsMuchAndComputesOnOtherUnits) {
  const CardModel half = model("a10", {1});
  const CardModel single = model("a10", {1}, ComputeType::float32);
  EXPECT_DOUBLE_EQ(single.steps[0].work.bytes, 2 * half.steps[0].work.bytes);
  EXPECT_DOUBLE_EQ(single.encoder_ideal.seconds, single.encoder.operations / 31.2e12);
}

}  // namespace
}  // namespace engine
