#include "engine/whisper/cpu/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/cpu/plain_whisper.h"

namespace engine::cpu {
namespace {

using kernels::KvFormat;
using kernels::KvStore;

constexpr std::array tokens{7, 299, 0, 41, 41, 130};

class DecoderTest : public testing::TestWithParam<MatrixType> {
 protected:
  void SetUp() override {
    if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
    packed_ = pack_whisper(*weights_, GetParam());
  }
  Decoder decoder(kernels::Isa isa) { return {packed_, weights_, isa, pool_}; }
  static Floats window(unsigned seed) {
    return random_rows(PlainWhisper::dims().n_audio_ctx, PlainWhisper::dims().n_audio_state, 1,
                       seed);
  }
  // The format of a model's keys and values.
  static KvFormat own_format() {
    return is_exact(GetParam()) ? KvFormat::float32 : KvFormat::bfloat16;
  }
  static KvStore audio_store() { return audio_store(own_format()); }
  static KvStore audio_store(KvFormat format) {
    const ModelDims d = PlainWhisper::dims();
    return {format, d.n_text_layer, d.n_text_head, d.n_audio_ctx};
  }
  static KvStore token_store() {
    const ModelDims d = PlainWhisper::dims();
    return {own_format(), d.n_text_layer, d.n_text_head, d.n_text_ctx};
  }
  static std::vector<DecoderRow> rows_of(KvStore& of_text, KvStore& of_audio) {
    std::vector<DecoderRow> rows;
    for (const int token : tokens) {
      const int position = static_cast<int>(rows.size());
      rows.push_back({token, position, &of_text, &of_audio, true});
    }
    return rows;
  }
  void project(Decoder& decoder, const Floats& encoded, KvStore& audio) {
    project(pool_, decoder, encoded, audio);
  }
  static void project(kernels::ThreadPool& pool, Decoder& decoder, const Floats& encoded,
                      KvStore& audio) {
    pool.run_in_teams(1, [&](const kernels::TeamThread& me) {
      decoder.project_audio(encoded.data.data(), encoded.rows, audio, me);
    });
  }
  static Floats logits_of(Decoder& decoder, std::span<const DecoderRow> rows) {
    const auto wanted = std::ranges::count_if(rows, &DecoderRow::wants_logits);
    Floats logits(static_cast<int>(wanted), PlainWhisper::dims().n_vocab);
    decoder(rows, logits.data.data());
    return logits;
  }

  PlainWhisper plain_{};
  std::shared_ptr<const Weights> weights_ = plain_.weights();
  PackedWhisper packed_{};
  kernels::ThreadPool pool_{2};
};

TEST_P(DecoderTest, IsNearPlainFloatOnEveryInstructionSet) {
  const Floats encoded = window(1);
  const Floats expected = plain_.decode(tokens, encoded).logits;
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    for (const KvFormat format : {own_format(), KvFormat::int8}) {
      const bool exact = is_exact(GetParam()) && format == KvFormat::float32;
      KvStore audio = audio_store(format), text = token_store();
      Decoder network = decoder(isa);
      project(network, encoded, audio);
      EXPECT_LT(difference(logits_of(network, rows_of(text, audio)), expected), exact ? 2e-6 : 0.05)
          << name(isa);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, DecoderTest,
                         testing::Values(MatrixType::float32, MatrixType::float16,
                                         MatrixType::bfloat16, MatrixType::int8),
                         [](const auto& type) { return name(type.param); });

// A row that stands for several positions weighs what they would weigh together.
TEST_P(DecoderTest, AShortWindowIsReadAsTheFullOneThatRepeatsItsRows) {
  const WindowRows rows(PlainWhisper::dims().n_audio_ctx, 20);
  const Floats encoded = window(6);  // of which the first rows are taken
  Floats repeated = encoded;
  for (int position = rows.single(), row = rows.single(); position < repeated.rows; ++position) {
    const bool is_next = row + 1 < rows.count() && position >= rows.position(row + 1) - 2;
    row += is_next ? 1 : 0;
    std::copy_n(encoded.row(row), encoded.columns, repeated.row(position));
  }
  const PlainWhisper::Decoded expected = plain_.decode(tokens, repeated);
  Floats part(rows.count(), encoded.columns);
  std::copy_n(encoded.data.begin(), part.data.size(), part.data.begin());
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    KvStore audio = audio_store(), text = token_store();
    Decoder network = decoder(isa);
    project(network, part, audio);
    auto steps = rows_of(text, audio);
    for (DecoderRow& step : steps) step.audio_rows = &rows;
    EXPECT_LT(difference(logits_of(network, steps), expected.logits),
              is_exact(GetParam()) ? 2e-6 : 0.05)
        << name(isa);
    for (DecoderRow& step : steps) step.audio_rows = nullptr;
    EXPECT_GT(difference(logits_of(network, steps), expected.logits), 0.1) << "rows count once";
  }
}

TEST_P(DecoderTest, TokensComeAllAtOnceOrOneByOne) {
  const Floats encoded = window(2);
  KvStore audio = audio_store(), whole = token_store(), parts = token_store();
  Decoder network = decoder(kernels::isas_of_this_cpu().back());
  project(network, encoded, audio);
  const Floats expected = logits_of(network, rows_of(whole, audio));
  Floats found = expected;
  for (const DecoderRow& row : rows_of(parts, audio)) {
    const Floats one = logits_of(network, {&row, 1});
    std::ranges::copy(one.data, found.row(row.position));
  }
  EXPECT_LT(difference(found, expected), 1e-3);
}

TEST_P(DecoderTest, LogitsAreThoseOfTheRowsThatWantThem) {
  const Floats encoded = window(3);
  KvStore audio = audio_store(), all = token_store(), some = token_store();
  Decoder network = decoder(kernels::isas_of_this_cpu().back());
  project(network, encoded, audio);
  const Floats expected = logits_of(network, rows_of(all, audio));
  auto rows = rows_of(some, audio);
  for (DecoderRow& row : rows) row.wants_logits = row.position == 1 || row.position == 4;
  const Floats found = logits_of(network, rows);
  ASSERT_EQ(found.rows, 2);
  for (const auto& [from, to] : {std::pair{0, 1}, std::pair{1, 4}}) {
    for (int n = 0; n < found.columns; ++n) {
      ASSERT_NEAR(found.row(from)[n], expected.row(to)[n], 1e-4) << from << ' ' << n;
    }
  }
}

TEST_P(DecoderTest, SequencesOfOtherWindowsDoNotSeeEachOther) {
  const Floats encoded = window(4), other = window(5);
  Decoder network = decoder(kernels::isas_of_this_cpu().back());
  KvStore audio = audio_store(), audio_beside = audio_store();
  project(network, encoded, audio);
  project(network, other, audio_beside);
  KvStore alone = token_store(), together = token_store(), beside = token_store();
  const Floats expected = logits_of(network, rows_of(alone, audio));
  auto rows = rows_of(beside, audio_beside);
  for (DecoderRow& row : rows) {
    row.token = 200 - row.token / 2;
    row.wants_logits = false;
  }
  std::ranges::copy(rows_of(together, audio), std::back_inserter(rows));
  EXPECT_LT(difference(logits_of(network, rows), expected), 1e-5);
}

// Many rows are shared among the threads on their way into a layer, few are not.
TEST_P(DecoderTest, AnyNumberOfThreadsGivesTheSameLogits) {
  const Floats encoded = window(6);
  for (const int count : {StepRows::least_shared - 1, Decoder::max_rows}) {
    Floats expected(0, 0);
    for (const int threads : {1, 2, 5}) {
      kernels::ThreadPool pool(threads);
      Decoder network(packed_, weights_, kernels::isas_of_this_cpu().back(), pool);
      KvStore audio = audio_store(), text = token_store();
      project(pool, network, encoded, audio);
      std::vector<DecoderRow> rows;
      for (int i = 0; i < count; ++i) rows.push_back({(i * 37) % 300, i, &text, &audio, true});
      const Floats found = logits_of(network, rows);
      if (threads == 1) expected = found;
      EXPECT_LT(difference(found, expected), 1e-5) << count << " rows, threads: " << threads;
    }
  }
}

class MixedDecoderTest : public DecoderTest {};
INSTANTIATE_TEST_SUITE_P(Types, MixedDecoderTest, testing::Values(MatrixType::int8),
                         [](const auto& type) { return name(type.param); });

// A packed model in which one part of fc2 and one layer's keys and values are in another type than
// those beside them.
TEST_P(MixedDecoderTest, PartsAndLayersOfOtherTypesGoTogether) {
  const PackedWhisper bfloat16 = pack_whisper(*weights_, MatrixType::bfloat16);
  packed_.decoder[1].cross.key_value = bfloat16.decoder[1].cross.key_value;
  packed_.decoder[0].attention.out = bfloat16.decoder[0].attention.out;
  PackedWhisper parts = packed_;
  parts.decoder[0].mlp.fc2 = bfloat16.decoder[0].mlp.fc2;
  const Floats encoded = window(7);
  std::vector<int> text(Decoder::max_rows);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<int>(i * 37 % 300);
  for (const PackedWhisper& packed : {packed_, parts}) {
    for (const std::size_t count : {std::size_t{6}, text.size()}) {
      const std::span some(text.data(), count);
      Decoder network(packed, weights_, kernels::isas_of_this_cpu().back(), pool_);
      KvStore audio = audio_store(), history = token_store();
      project(network, encoded, audio);
      std::vector<DecoderRow> rows;
      for (const int token : some) {
        const int position = static_cast<int>(rows.size());
        rows.push_back({token, position, &history, &audio, true});
      }
      EXPECT_LT(difference(logits_of(network, rows), plain_.decode(some, encoded).logits), 0.05);
    }
  }
}

TEST_P(DecoderTest, KnownTextIsRatedAndToldWhereItLooks) {
  constexpr int n_text = 250;
  const ModelDims d = PlainWhisper::dims();
  const Floats encoded = window(6);
  const auto expected = plain_.decode(tokens, encoded);
  const std::vector<int> next(tokens.begin() + 1, tokens.end());
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    KvStore audio = audio_store(), text = token_store();
    Decoder network = decoder(isa);
    project(network, encoded, audio);
    const int count = static_cast<int>(tokens.size());
    Floats first(count, d.n_audio_ctx), second(count, d.n_audio_ctx);
    const HeadCapture captures[] = {{1, {0, first.data.data(), d.n_audio_ctx}},
                                    {0, {1, second.data.data(), d.n_audio_ctx}}};
    std::vector<float> found(next.size());
    network.attend(rows_of(text, audio), captures, next, n_text, found.data());
    EXPECT_LT(difference(first, expected.attention.at(1 * d.n_text_head + 0)), 0.1) << name(isa);
    EXPECT_LT(difference(second, expected.attention.at(0 * d.n_text_head + 1)), 0.1) << name(isa);
    for (std::size_t i = 0; i < next.size(); ++i) {
      const float* logits = expected.logits.row(static_cast<int>(i));
      double sum = 0;
      for (int n = 0; n < n_text; ++n) sum += std::exp(double(logits[n]));
      const double likely = next[i] < n_text ? std::exp(double(logits[next[i]])) / sum : 0;
      EXPECT_NEAR(found[i], likely, 0.15 * likely + 1e-6) << name(isa) << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace engine::cpu
