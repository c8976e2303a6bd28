#include "engine/whisper/cpu/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/cpu/plain_whisper.h"

namespace engine::cpu {
namespace {

// The error of the encoder's output, relative.
double allowed(MatrixType type) {
  switch (type) {
    case MatrixType::float32:
    case MatrixType::float16:
      return 2e-6;
    case MatrixType::bfloat16:
      return 0.02;
    case MatrixType::int8:
      return 0.05;
  }
  return 0;
}

class EncoderTest : public testing::TestWithParam<MatrixType> {
 protected:
  void SetUp() override {
    if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
    packed_ = pack_whisper(*plain_.weights(), GetParam());
  }
  static Floats mel(unsigned seed) {
    return random_rows(PlainWhisper::dims().n_mels, 2 * PlainWhisper::dims().n_audio_ctx, 1, seed);
  }
  static Floats encode(Encoder& encoder, const Floats& mel) {
    Floats encoded(PlainWhisper::dims().n_audio_ctx, PlainWhisper::dims().n_audio_state);
    std::copy_n(encoder(mel.data.data()), encoded.data.size(), encoded.data.begin());
    return encoded;
  }
  Floats encode(kernels::Isa isa, int threads, const Floats& mel) {
    kernels::ThreadPool pool(threads);
    Encoder encoder(packed_, isa, pool);
    return encode(encoder, mel);
  }

  PlainWhisper plain_{};
  PackedWhisper packed_{};
};

TEST_P(EncoderTest, IsNearPlainFloatOnEveryInstructionSet) {
  const Floats sound = mel(1);
  const Floats expected = plain_.encode(sound);
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    for (const int threads : {1, 3}) {
      EXPECT_LT(difference(encode(isa, threads, sound), expected), allowed(GetParam()))
          << name(isa) << ", threads: " << threads;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, EncoderTest,
                         testing::Values(MatrixType::float32, MatrixType::float16,
                                         MatrixType::bfloat16, MatrixType::int8),
                         [](const auto& type) { return name(type.param); });

TEST_P(EncoderTest, HearsTheFirstAndTheLastMomentAsWell) {
  const Floats quiet(PlainWhisper::dims().n_mels, 2 * PlainWhisper::dims().n_audio_ctx);
  const kernels::Isa isa = kernels::isas_of_this_cpu().back();
  for (const int frame : {0, quiet.columns - 1}) {
    Floats click = quiet;
    for (int i = 0; i < click.rows; ++i) click.row(i)[frame] = 3;
    const Floats expected = plain_.encode(click);
    EXPECT_LT(difference(encode(isa, 2, click), expected), allowed(GetParam())) << frame;
    EXPECT_GT(difference(encode(isa, 2, quiet), expected), 0.05) << frame;
  }
}

TEST_P(EncoderTest, ThreadsShareTheWorkAndChangeNothing) {
  const Floats sound = mel(2);
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    EXPECT_LT(difference(encode(isa, 3, sound), encode(isa, 1, sound)), 1e-5) << name(isa);
  }
}

TEST_P(EncoderTest, KeepsNothingOfTheWindowBefore) {
  kernels::ThreadPool pool(2);
  Encoder encoder(packed_, kernels::isas_of_this_cpu().back(), pool);
  const Floats first = encode(encoder, mel(3));
  Floats broken = mel(4);
  broken.data[100] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(encode(encoder, broken).data[0]));
  EXPECT_EQ(encode(encoder, mel(3)).data, first.data);
}

}  // namespace
}  // namespace engine::cpu
