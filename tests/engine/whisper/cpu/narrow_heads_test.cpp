#include "engine/whisper/cpu/narrow_heads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/whisper/cpu/decoder.h"
#include "engine/whisper/cpu/encoder.h"
#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/cpu/plain_whisper.h"
#include "tests/engine/whisper/weights/narrow_heads.h"

namespace engine::cpu {
namespace {

using kernels::KvFormat;
using kernels::KvStore;

TEST(FillUp, PutsZerosAfterEachGroup) {
  std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  fill_up(numbers, 2, 2);
  EXPECT_EQ(numbers, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  fill_up(numbers, 2, 3);
  EXPECT_EQ(numbers, (std::vector<float>{1, 2, 0, 3, 4, 0, 5, 6, 0}));
}

class NarrowHeadsTest : public testing::TestWithParam<MatrixType> {
 protected:
  struct Found {
    Floats encoded;
    Floats logits;
    Floats attention;  // of both heads, one after the other
  };

  void SetUp() override {
    if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
    packed_ = pack_whisper(*weights_, GetParam());
  }

  Floats expected(const std::string& name, int rows) const {
    std::vector<float> numbers = model_.expected(name);
    Floats found(rows, static_cast<int>(numbers.size()) / rows);
    found.data = std::move(numbers);
    return found;
  }

  Found run(kernels::Isa isa, int threads, KvFormat of_windows) const {
    const ModelDims& d = weights_->dims();
    const bool exact = is_exact(GetParam());
    kernels::ThreadPool pool(threads);
    Encoder encoder(packed_, isa, threads);
    Decoder decoder(packed_, weights_, isa, pool);
    KvStore audio(of_windows, d.n_text_layer, d.n_text_head, d.n_audio_ctx);
    KvStore text(exact ? KvFormat::float32 : KvFormat::bfloat16, d.n_text_layer, d.n_text_head,
                 d.n_text_ctx);
    const std::vector<float> mel = model_.expected("mel");
    const std::vector<float> tokens = model_.expected("tokens");
    Found found{Floats(d.n_audio_ctx, d.n_audio_state), Floats(n_tokens, d.n_vocab),
                Floats(2 * n_tokens, d.n_audio_ctx)};
    pool.run_in_teams(1, [&](const kernels::TeamThread& me) {
      const float* rows = encoder(mel.data(), WindowRows(d.n_audio_ctx), me);
      decoder.project_audio(rows, d.n_audio_ctx, audio, me);
      me.team.barrier();
      if (me.index == 0) std::copy_n(rows, found.encoded.data.size(), found.encoded.data.begin());
    });
    std::vector<DecoderRow> rows;
    for (const float token : tokens) {
      const auto position = static_cast<int>(rows.size());
      rows.push_back({static_cast<int>(token), position, &text, &audio, true});
    }
    decoder(rows, found.logits.data.data());
    const std::vector<HeadCapture> captures{{0, {0, found.attention.row(0), d.n_audio_ctx}},
                                            {0, {1, found.attention.row(n_tokens), d.n_audio_ctx}}};
    decoder.attend(rows, captures, {}, d.n_vocab, nullptr);
    return found;
  }

  static constexpr int n_tokens = 6;
  toy::NarrowHeads model_{};
  std::shared_ptr<const Weights> weights_ = model_.weights();
  PackedWhisper packed_{};
};

INSTANTIATE_TEST_SUITE_P(Types, NarrowHeadsTest,
                         testing::Values(MatrixType::float32, MatrixType::float16,
                                         MatrixType::bfloat16, MatrixType::int8),
                         [](const auto& type) { return name(type.param); });

TEST_P(NarrowHeadsTest, GiveWhatTransformersComputes) {
  const Floats encoded = expected("encoded", weights_->dims().n_audio_ctx);
  const Floats logits = expected("logits", n_tokens);
  const Floats attention = expected("cross_attention", 2 * n_tokens);
  const bool exact = is_exact(GetParam());
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    for (const int threads : {1, 3}) {
      for (const KvFormat format :
           {exact ? KvFormat::float32 : KvFormat::bfloat16, KvFormat::int8}) {
        const Found found = run(isa, threads, format);
        const double allowed = exact && format == KvFormat::float32 ? 2e-6 : 0.05;
        EXPECT_LT(difference(found.encoded, encoded), exact ? 2e-6 : 0.05) << name(isa);
        EXPECT_LT(difference(found.logits, logits), allowed) << name(isa);
        EXPECT_LT(difference(found.attention, attention), allowed) << name(isa);
      }
    }
  }
}

}  // namespace
}  // namespace engine::cpu
