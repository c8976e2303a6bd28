#include "engine/whisper/model/cpu_audio.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

using cpu::MatrixType;

TEST(CpuAudio, BaseInInt8HasShortWindowsAndOthersAreTriedIfTheyAreRounded) {
  const ModelDims base{
      .n_audio_state = 512, .n_audio_layer = 6, .n_vocab = 51865, .n_text_layer = 6};
  EXPECT_EQ(short_windows_of(base, MatrixType::int8), ShortWindows::by_default);
  ModelDims english = base, tiny = base, small = base, distilled = base;
  english.n_vocab = 51864;
  tiny.n_audio_state = 384;
  small.n_audio_layer = 12;
  distilled.n_text_layer = 2;
  for (const ModelDims& other : {english, tiny, small, distilled}) {
    EXPECT_EQ(short_windows_of(other, MatrixType::int8), ShortWindows::by_trial);
    EXPECT_EQ(short_windows_of(other, MatrixType::float32), ShortWindows::on_request);
  }
  EXPECT_EQ(short_windows_of(base, MatrixType::bfloat16), ShortWindows::by_trial);
  for (const MatrixType type : {MatrixType::float32, MatrixType::float16}) {
    EXPECT_EQ(short_windows_of(base, type), ShortWindows::on_request);
  }
  ModelDims tiny_en = tiny, toy = base;
  tiny_en.n_vocab = 51864;
  toy.n_audio_state = 128;
  EXPECT_EQ(short_windows_of(tiny_en, MatrixType::int8), ShortWindows::on_request) << "measured";
  EXPECT_EQ(short_windows_of(toy, MatrixType::int8), ShortWindows::on_request);
}

}  // namespace
}  // namespace engine
