#include "engine/whisper/model/cpu_audio.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

using cpu::MatrixType;

TEST(CpuAudio, OnlyBaseInInt8IsAccurateInShortWindows) {
  const ModelDims base{
      .n_audio_state = 512, .n_audio_layer = 6, .n_vocab = 51865, .n_text_layer = 6};
  EXPECT_TRUE(is_accurate_in_short_windows(base, MatrixType::int8));
  ModelDims english = base, tiny = base, small = base, distilled = base;
  english.n_vocab = 51864;
  tiny.n_audio_state = 384;
  small.n_audio_layer = 12;
  distilled.n_text_layer = 2;
  for (const ModelDims& other : {english, tiny, small, distilled}) {
    EXPECT_FALSE(is_accurate_in_short_windows(other, MatrixType::int8));
  }
  for (const MatrixType type : {MatrixType::float32, MatrixType::float16, MatrixType::bfloat16}) {
    EXPECT_FALSE(is_accurate_in_short_windows(base, type));
  }
}

}  // namespace
}  // namespace engine
