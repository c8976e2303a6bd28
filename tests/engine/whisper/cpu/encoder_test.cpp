#include "engine/whisper/cpu/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "engine/kernels/thread_pool.h"
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
  static WindowRows all() { return WindowRows(PlainWhisper::dims().n_audio_ctx); }
  static Floats copy(const float* encoded, int count = PlainWhisper::dims().n_audio_ctx) {
    Floats rows(count, PlainWhisper::dims().n_audio_state);
    std::copy_n(encoded, rows.data.size(), rows.data.begin());
    return rows;
  }
  static Floats encode(kernels::ThreadPool& pool, Encoder& encoder, const Floats& mel,
                       const WindowRows& which = all()) {
    const float* encoded = nullptr;
    pool.run_in_teams(1, [&](const kernels::TeamThread& me) {
      const float* rows = encoder(mel.data.data(), which, me);
      if (me.index == 0) encoded = rows;
    });
    return copy(encoded, which.count());
  }
  Floats encode(kernels::Isa isa, int threads, const Floats& mel, const WindowRows& which = all()) {
    kernels::ThreadPool pool(threads);
    Encoder encoder(packed_, isa, threads);
    return encode(pool, encoder, mel, which);
  }
  // Encodes each of the windows by a team of its own.
  std::vector<Floats> encode_in_teams(kernels::Isa isa, int threads,
                                      const std::vector<Floats>& mels) {
    kernels::ThreadPool pool(threads);
    std::deque<Encoder> encoders;
    while (encoders.size() < mels.size()) encoders.emplace_back(packed_, isa, threads);
    std::vector<const float*> encoded(mels.size());
    pool.run_in_teams(static_cast<int>(mels.size()), [&](const kernels::TeamThread& me) {
      const auto window = static_cast<std::size_t>(me.team.number());
      const float* rows = encoders[window](mels[window].data.data(), all(), me);
      if (me.index == 0) encoded[window] = rows;
    });
    std::vector<Floats> windows;
    for (const float* rows : encoded) windows.push_back(copy(rows));
    return windows;
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

// Forty frames of sound; what follows is 0, so that rows of it differ in their positions alone.
TEST_P(EncoderTest, AShortWindowIsWhatPlainFloatMakesOfItsRows) {
  Floats sound = mel(8);
  for (int band = 0; band < sound.rows; ++band) {
    std::fill(sound.row(band) + 40, sound.row(band) + sound.columns, 0.0F);
  }
  const WindowRows rows(PlainWhisper::dims().n_audio_ctx, 40);
  ASSERT_FALSE(rows.is_full());
  const Floats expected = plain_.encode(sound, rows);
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    for (const int threads : {1, 3}) {
      EXPECT_LT(difference(encode(isa, threads, sound, rows), expected), allowed(GetParam()))
          << name(isa) << ", threads: " << threads;
    }
  }
}

// The encoder's buffers hold what the window before has left in them.
TEST_P(EncoderTest, AShortWindowAfterAFullOneIsItself) {
  kernels::ThreadPool pool(2);
  Encoder encoder(packed_, kernels::isas_of_this_cpu().back(), pool.size());
  Floats quiet(PlainWhisper::dims().n_mels, 2 * PlainWhisper::dims().n_audio_ctx);
  const WindowRows rows(PlainWhisper::dims().n_audio_ctx, 10);
  const Floats first = encode(pool, encoder, quiet, rows);
  const Floats full = encode(pool, encoder, mel(9));
  EXPECT_EQ(encode(pool, encoder, quiet, rows).data, first.data);
  EXPECT_EQ(encode(pool, encoder, mel(9)).data, full.data);
}

TEST_P(EncoderTest, ThreadsShareTheWorkAndChangeNothing) {
  const Floats sound = mel(2);
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    EXPECT_LT(difference(encode(isa, 3, sound), encode(isa, 1, sound)), 1e-5) << name(isa);
  }
}

TEST_P(EncoderTest, WindowsInTeamsEqualThoseAloneToTheBit) {
  const std::vector<Floats> mels{mel(5), mel(6), mel(7)};
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    for (const auto& [windows, threads] : {std::pair{2, 2}, std::pair{2, 5}, std::pair{3, 4}}) {
      const std::vector<Floats> some(mels.begin(), mels.begin() + windows);
      const std::vector<Floats> together = encode_in_teams(isa, threads, some);
      for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(together[i].data, encode(isa, threads, some[i]).data)
            << name(isa) << ", threads: " << threads << ", window " << i << " of " << windows;
      }
    }
  }
}

TEST_P(EncoderTest, KeepsNothingOfTheWindowBefore) {
  kernels::ThreadPool pool(2);
  Encoder encoder(packed_, kernels::isas_of_this_cpu().back(), pool.size());
  const Floats first = encode(pool, encoder, mel(3));
  Floats broken = mel(4);
  broken.data[100] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(encode(pool, encoder, broken).data[0]));
  EXPECT_EQ(encode(pool, encoder, mel(3)).data, first.data);
}

}  // namespace
}  // namespace engine::cpu
