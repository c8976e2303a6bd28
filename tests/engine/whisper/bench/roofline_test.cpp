#include "engine/whisper/bench/roofline.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

// Whisper base.
constexpr ModelDims base{80, 1500, 512, 8, 6, 51865, 448, 512, 8, 6};

TEST(IdealTime, IsThatOfTheSlowerLimit) {
  const MachineLimits machine{100, 10};
  const IdealTime computing = ideal_time({1000, 20}, machine);
  EXPECT_DOUBLE_EQ(computing.seconds, 10);
  EXPECT_EQ(computing.bound, Bound::compute);
  const IdealTime reading = ideal_time({100, 20}, machine);
  EXPECT_DOUBLE_EQ(reading.seconds, 2);
  EXPECT_EQ(reading.bound, Bound::memory);
}

// A model so small that its products can be counted by hand.
TEST(EncoderWork, CountsEveryProductOnce) {
  ModelDims d;
  d.n_mels = 2;
  d.n_audio_ctx = 3;
  d.n_audio_state = d.n_text_state = 4;
  d.n_audio_layer = 1;
  d.n_text_layer = 2;
  const double first = 6 * (3 * 2 * 4);      // six frames
  const double second = 3 * (3 * 4 * 4);     // three positions
  const double block = 3 * (4 + 8) * 4 * 4;  // attention's four matrices and the MLP's eight
  const double scores = 2 * 3 * 3 * 4;       // and sums of values
  const double cross = 3 * 2 * (2 * 4 * 4);  // keys and values for two layers
  const Work work = encoder_work(d, sizes_on_cpu(ComputeType::float32));
  EXPECT_DOUBLE_EQ(work.operations, 2 * (first + second + block + scores + cross));
  EXPECT_DOUBLE_EQ(work.bytes, 4 * (24 + 48 + 12 * 16 + 64));
}

TEST(StepWork, ReadsWeightsOnceAndKeysOfEachWindow) {
  const Work one = step_work(base, sizes_on_cpu(ComputeType::bfloat16), 1, 100);
  const Work two = step_work(base, sizes_on_cpu(ComputeType::bfloat16), 2, 100);
  EXPECT_DOUBLE_EQ(two.operations, 2 * one.operations);
  const double keys_and_values = 2.0 * 6 * 512 * (1500 + 100) * 2;
  EXPECT_DOUBLE_EQ(two.bytes - one.bytes, keys_and_values);
  const double weights = 6 * 14 * 512.0 * 512 + 512.0 * 51865;
  EXPECT_DOUBLE_EQ(one.bytes, 2 * weights + keys_and_values);
}

TEST(StepWork, HalfWeightsOfFloat32LeaveKeysAndValuesAsTheyAre) {
  const Work whole = step_work(base, sizes_on_cpu(ComputeType::float32), 2, 100);
  const Work half = step_work(base, sizes_on_cpu(ComputeType::float32, true), 2, 100);
  const double weights = 6 * 14 * 512.0 * 512 + 512.0 * 51865;
  EXPECT_DOUBLE_EQ(whole.bytes - half.bytes, 2 * weights);
  EXPECT_DOUBLE_EQ(half.operations, whole.operations);
}

TEST(StepWork, Int8HalvesAllButTheKeysOfTokensAndQuartersTheVocabulary) {
  const Work wide = step_work(base, sizes_on_cpu(ComputeType::bfloat16), 1, 0);
  const Work narrow = step_work(base, sizes_on_cpu(ComputeType::int8), 1, 0);
  EXPECT_DOUBLE_EQ(narrow.bytes, wide.bytes / 2 - 512.0 * 51865 / 2);
  const double of_tokens =
      step_work(base, sizes_on_cpu(ComputeType::int8), 1, 10).bytes - narrow.bytes;
  EXPECT_DOUBLE_EQ(of_tokens, 2.0 * 6 * 512 * 10 * 2);
}

}  // namespace
}  // namespace engine
