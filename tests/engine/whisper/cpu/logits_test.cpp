#include "engine/whisper/cpu/logits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>

#include "engine/kernels/rows.h"
#include "platform/cpu.h"

namespace engine::cpu {
namespace {

constexpr int n_vocab = 51'865;
constexpr int n_state = 64;
constexpr int n_rows = 3;

// A random last layer and three rows that come to it.
class LogitsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto isa = kernels::best_isa(platform::probe_cpu());
    if (!isa) GTEST_SKIP() << "needs AVX2";
    isa_ = *isa;
    std::mt19937 generator(11);
    std::normal_distribution<float> normal;
    std::vector<float> weight(static_cast<std::size_t>(n_vocab) * n_state);
    for (float& w : weight) w = normal(generator);
    // A special token that row 1 finds far likelier than all text.
    std::vector<float> x(n_rows * n_state);
    for (float& value : x) value = normal(generator);
    for (std::size_t k = 0; k < n_state; ++k) {
      weight[std::size_t{n_vocab - 1} * n_state + k] = 2 * x[n_state + k];
    }

    kernels::pack_int8(weight, n_vocab, n_state, packed8_.data(), scale8_.data(), sum8_.data());
    for (const float error : kernels::pack_int4(weight, n_vocab, n_state, packed4_.data(),
                                                scale4_.data(), sum4_.data(), mean_.data())) {
      deviation_ += error;  // of inputs with a deviation of 1
    }
    deviation_ = std::sqrt(deviation_);
    packed_.dims.n_vocab = n_vocab;
    packed_.dims.n_text_state = n_state;
    packed_.to_logits = kernels::Int8Matrix{n_state,         static_cast<int>(width),
                                            packed8_.data(), scale8_.data(),
                                            sum8_.data(),    bias_.data()};
    packed_.preselection = {n_state,         static_cast<int>(width),
                            packed4_.data(), scale4_.data(),
                            sum4_.data(),    mean_.data(),
                            &deviation_};
    for (std::size_t row = 0; row < n_rows; ++row) {
      kernels::quantize(&x[row * n_state], n_state, &q_[row * n_state], &scale_[row], &zero_[row]);
    }
  }

  kernels::Int8Rows rows() const { return {q_.data(), scale_.data(), zero_.data()}; }

  std::vector<float> logits_by(kernels::Kernels kernels) {
    Logits logits(packed_, isa_, kernels, pool_, n_rows);
    std::vector<float> out(static_cast<std::size_t>(n_rows) * n_vocab, -1e9F);
    pool_.run([&](int thread) { logits(thread, rows(), n_rows, out.data()); });
    return out;
  }
  // Makes all text tokens of row 0 candidates.
  void flatten_first_row() { scale_[0] *= 0.01F; }
  std::vector<float> plain_logits() {
    const kernels::Kernels all = kernels::kernels_for(isa_);
    return logits_by({all.gemm_int8, all.gemm_bfloat16, all.gemm_float32, all.gemm_float16});
  }

  static constexpr std::size_t width = 51'904;  // n_vocab in whole panels
  kernels::Isa isa_{};
  kernels::ThreadPool pool_{2};
  PackedWhisper packed_;
  kernels::AlignedVector<std::int8_t> packed8_ =
      kernels::AlignedVector<std::int8_t>(width * n_state);
  kernels::AlignedVector<std::uint8_t> packed4_ =
      kernels::AlignedVector<std::uint8_t>(kernels::int4_size(n_vocab, n_state));
  std::vector<float> scale8_ = std::vector<float>(width);
  std::vector<float> sum8_ = scale8_, bias_ = scale8_, scale4_ = scale8_, sum4_ = scale8_;
  std::array<float, n_state> mean_{};
  float deviation_ = 0;
  std::array<std::uint8_t, n_rows * n_state> q_{};
  std::array<float, n_rows> scale_{}, zero_{};
};

// Returns what four bits say of row after row, for text tokens only.
std::vector<float> estimates_by(kernels::Kernels kernels, const kernels::Int8Rows& rows,
                                const kernels::Int4Matrix& preselection) {
  std::vector<float> out(static_cast<std::size_t>(n_rows) *
                         static_cast<std::size_t>(preselection.n_out));
  kernels.gemm_int4(rows, n_rows, preselection, {0, preselection.n_out / kernels::panel_width},
                    out.data(), preselection.n_out);
  return out;
}

TEST_F(LogitsTest, TextTokensNearTheLargestAndAllOthersAreAsWithoutPreselection) {
  const kernels::Kernels all = kernels::kernels_for(isa_);
  if (all.gemm_int4 == nullptr) GTEST_SKIP() << "needs dot products on arm64";
  constexpr std::size_t n_text = 50'240;  // whole panels
  const auto preselected = logits_by(all);
  const auto plain = plain_logits();
  const auto estimates = estimates_by(all, rows(), packed_.preselection);
  ASSERT_EQ(preselected.size(), plain.size());
  const Logits::Margins margins = Logits::margins_for(deviation_);
  bool others_decided = false;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const float* estimate = &estimates[row * width];
    const float* exact = &plain[row * n_vocab];
    const float text = *std::max_element(estimate, estimate + n_text);
    const float largest = std::max(text, *std::max_element(exact + n_text, exact + n_vocab));
    const float bound =
        std::max(text - margins.text, std::min(largest - margins.all, text - margins.least_text));
    others_decided |= largest - margins.all > text - margins.text;
    std::size_t refined = 0;
    std::vector<int> candidates(width / kernels::panel_width);
    for (std::size_t token = 0; token < n_text; ++token) {
      if (estimate[token] >= bound) ++candidates[token / kernels::panel_width];
    }
    for (std::size_t token = 0; token < n_vocab; ++token) {
      const bool stays = token < n_text && estimate[token] < bound;
      const float found = preselected[row * n_vocab + token];
      const bool is_crowded =
          token < n_text && candidates[token / kernels::panel_width] >= Logits::least_crowd;
      const float expected = stays && !is_crowded ? estimate[token] : exact[token];
      ASSERT_NEAR(found, expected, 1e-3) << row << ' ' << token;
      refined += token < n_text && !stays ? 1 : 0;
    }
    EXPECT_LT(refined, n_text / 10);
    const float* begin = &preselected[row * n_vocab];
    EXPECT_EQ(std::max_element(begin, begin + n_vocab) - begin,
              std::max_element(exact, exact + n_vocab) - exact);
    EXPECT_EQ(std::max_element(begin, begin + n_text) - begin,
              std::max_element(exact, exact + n_text) - exact);
  }
  EXPECT_TRUE(others_decided);
}

// The deviation that the weights say is that of the estimates, and none is beyond what the margins
// allow.
TEST_F(LogitsTest, MarginsCoverWhatFourBitsAreOff) {
  const kernels::Kernels all = kernels::kernels_for(isa_);
  if (all.gemm_int4 == nullptr) GTEST_SKIP() << "needs dot products on arm64";
  const auto plain = plain_logits();
  const auto estimates = estimates_by(all, rows(), packed_.preselection);
  double squares = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t token = 0; token < n_vocab; ++token) {
      const double off = estimates[row * width + token] - plain[row * n_vocab + token];
      ASSERT_LT(std::abs(off), Logits::margins_for(deviation_).least_text);
      squares += off * off;
    }
  }
  EXPECT_NEAR(std::sqrt(squares / (n_rows * n_vocab)) / deviation_, 1, 0.2);
}

TEST_F(LogitsTest, MarginsGrowWithTheErrorOfTheModel) {
  const Logits::Margins exact = Logits::margins_for(0);
  const Logits::Margins rough = Logits::margins_for(1);
  EXPECT_GT(exact.all, exact.text);
  EXPECT_GT(exact.text, exact.least_text);
  EXPECT_NEAR(rough.all - exact.all, rough.least_text, 1e-5);
  EXPECT_NEAR(rough.text - exact.text, rough.least_text, 1e-5);
}

TEST_F(LogitsTest, OfARowThatLikesAllTokensAllAreAsWithoutPreselection) {
  flatten_first_row();
  const kernels::Kernels all = kernels::kernels_for(isa_);
  const auto preselected = logits_by(all);
  const auto plain = plain_logits();
  for (std::size_t token = 0; token < n_vocab; ++token) {
    ASSERT_NEAR(preselected[token], plain[token], 1e-4) << token;
  }
  const auto next_text = std::span(preselected).subspan(n_vocab, 50'240);
  const auto next_plain = std::span(plain).subspan(n_vocab, 50'240);
  const bool preselects = all.gemm_int4 != nullptr;
  EXPECT_EQ(std::ranges::equal(next_text, next_plain), !preselects) << "other rows are preselected";
}

TEST_F(LogitsTest, RateWhatFollowsAmongTextAlone) {
  constexpr int n_text = 50'257;
  const std::array next{0, n_text - 1, n_vocab - 1};
  Logits logits(packed_, isa_, kernels::kernels_for(isa_), pool_, n_rows);
  std::vector<float> before(static_cast<std::size_t>(n_rows) * n_vocab);
  pool_.run([&](int thread) { logits(thread, rows(), n_rows, before.data()); });
  std::array<float, n_rows> found{};
  pool_.run([&](int thread) { logits.rate(thread, rows(), next, n_text, found.data()); });
  const auto plain = plain_logits();
  for (std::size_t row = 0; row < 2; ++row) {
    const float* begin = &plain[row * n_vocab];
    const double own = begin[next[row]];
    double sum = 0;
    for (int token = 0; token < n_text; ++token) sum += std::exp(begin[token] - own);
    EXPECT_NEAR(found[row] * sum, 1, 1e-4) << row;
  }
  EXPECT_EQ(found[2], 0);
}

}  // namespace
}  // namespace engine::cpu
