#include "engine/kernels/attention/attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/engine/kernels/attention/attention_test_support.h"
#include "tests/engine/kernels/isas.h"

namespace engine::kernels {
namespace {

bool multiplies_int16(Isa isa) {
  return isa == Isa::avx2 || isa == Isa::avx_vnni;
}

struct AttentionShape {
  int n_query;
  int n_key;
  int n_head;
};

// A layer's fused projection [n_key, 3·n_state], rounded to bfloat16, and the same as floats.
struct Layer {
  AttentionShape shape;
  std::ptrdiff_t n_state;
  std::vector<Bfloat16> qkv;
  std::vector<float> exact;

  Layer(const AttentionShape& s, float deviation)
      : shape(s),
        n_state(std::ptrdiff_t{s.n_head} * head_dim),
        exact(random_floats(static_cast<std::size_t>(s.n_key * 3 * n_state), deviation, 7)) {
    for (float& x : exact) {
      qkv.push_back(to_bfloat16(x));
      x = to_float(qkv.back());
    }
  }

  AttentionRows part(int i, int count) const {
    return {qkv.data() + i * n_state, 3 * n_state, count};
  }

  std::vector<float> attend(Isa isa, int threads, const KeyBias& bias = {}) const {
    std::vector<float> out(static_cast<std::size_t>(shape.n_query * n_state), -1.0F);
    ThreadPool pool(threads);
    Attention attention(isa, shape.n_head, shape.n_key + 5, threads);
    pool.run_in_teams(1, [&](const TeamThread& me) {
      attention(part(0, shape.n_query), part(1, shape.n_key), part(2, shape.n_key), out.data(), me,
                bias);
    });
    return out;
  }

  // Returns what a kernel multiplies: some take queries and keys in steps of a row's largest value,
  // and prepare queries for it.
  std::vector<float> read_by(Isa isa) const {
    std::vector<float> read = exact;
    if (tile_kernel(isa).scoring.prepare == nullptr) return read;
    const float steps = multiplies_int16(isa) ? 4095 : 127;
    for (int row = 0; row < shape.n_key; ++row) {
      for (int part = 0; part < 2 * shape.n_head; ++part) {
        float* head = read.data() + row * 3 * n_state + part * head_dim;
        float largest = 1e-30F;
        for (int i = 0; i < head_dim; ++i) largest = std::max(largest, std::abs(head[i]));
        for (int i = 0; i < head_dim; ++i) {
          head[i] = std::nearbyint(head[i] * (steps / largest)) * (largest / steps);
        }
      }
    }
    return read;
  }

  double largest_error(const std::vector<float>& out, Isa isa, const KeyBias& bias = {}) const {
    const std::vector<float> read = read_by(isa);
    double error = 0;
    for (int row = 0; row < shape.n_query; ++row) {
      for (int head = 0; head < shape.n_head; ++head) {
        const float* query = read.data() + row * 3 * n_state + head * head_dim;
        const float* first = read.data() + head * head_dim;
        const auto expected = reference(query, first + n_state, first + 2 * n_state, shape.n_key,
                                        3 * n_state, nullptr, bias);
        for (int i = 0; i < head_dim; ++i) {
          const double got = out[static_cast<std::size_t>(row * n_state + head * head_dim + i)];
          // A NaN is the largest of errors.
          const double off = std::abs(got - expected[static_cast<std::size_t>(i)]);
          error = off <= error ? error : off;
          if (std::isnan(off)) return off;
        }
      }
    }
    return error;
  }
};

// Kernels that multiply in bfloat16 round probabilities to it, which moves a weighted mean of
// values by 1/512 at worst. Those that multiply integers round values to 1/2046 of the largest of
// some, which is four deviations.
double tolerance(Isa isa, float deviation) {
  const bool rounded = isa == Isa::avx512_bf16 || isa == Isa::amx;
  return static_cast<double>(deviation) * (rounded ? 0.02 : multiplies_int16(isa) ? 0.0025 : 2e-5);
}

class AttentionShapes : public testing::TestWithParam<AttentionShape> {};

TEST_P(AttentionShapes, AgreesWithTheReferenceOnEveryInstructionSet) {
  const Layer layer(GetParam(), 0.7F);
  for (const Isa isa : isas_of_this_cpu()) {
    for (const int threads : {1, 3}) {
      EXPECT_LE(layer.largest_error(layer.attend(isa, threads), isa), tolerance(isa, 0.7F))
          << name(isa) << ", threads: " << threads;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, AttentionShapes,
                         testing::Values(AttentionShape{1, 1, 1},        // one of everything
                                         AttentionShape{5, 16, 2},       // less than a tile
                                         AttentionShape{7, 17, 1},       // one key in its own block
                                         AttentionShape{13, 63, 2},      // an odd number of keys
                                         AttentionShape{6, 512, 1},      // a block of keys exactly
                                         AttentionShape{12, 513, 1},     // and one key more
                                         AttentionShape{4, 1100, 3},     // fewer queries than keys
                                         AttentionShape{61, 1500, 2}));  // a whole window of keys

// The biased keys begin within a block of keys and go on into the next one.
TEST(Attention, AddsTheBiasOfKeysOnEveryInstructionSet) {
  for (const auto& [n_key, first] : {std::pair{375, 300}, std::pair{900, 700}, std::pair{17, 0}}) {
    const Layer layer({13, n_key, 2}, 0.7F);
    const std::vector<float> logs = log_counts(n_key - first);
    const KeyBias bias{first, logs};
    for (const Isa isa : isas_of_this_cpu()) {
      const std::vector<float> out = layer.attend(isa, 2, bias);
      EXPECT_LE(layer.largest_error(out, isa, bias), tolerance(isa, 0.7F)) << name(isa) << n_key;
      EXPECT_GT(layer.largest_error(out, isa), 0.1) << "the bias is little";
    }
  }
}

TEST(Attention, KeepsApartScoresThatAreFarFromEachOther) {
  // Scores of ±1000: all weight is on one key of each row, most of e^(score - maximum) is 0.
  const Layer layer({9, 700, 1}, 12.0F);
  for (const Isa isa : isas_of_this_cpu()) {
    EXPECT_LE(layer.largest_error(layer.attend(isa, 1), isa), tolerance(isa, 12.0F)) << name(isa);
  }
}

// Scores between 375 or 94 and the negative of it, or the reverse: what came before a new maximum
// counts for nothing.
TEST(Attention, TakesScoresThatRiseOrFallFromBlockToBlock) {
  for (const float slope : {1.0F / 128, -1.0F / 128, 1.0F / 512, -1.0F / 512}) {
    Layer layer({6, 1500, 1}, 0.5F);
    for (int key = 0; key < 1500; ++key) {
      for (int i = 0; i < 2 * head_dim; ++i) {
        const auto at = static_cast<std::size_t>(key * 3 * head_dim + i);
        const float x = i < head_dim ? 1.0F : slope * static_cast<float>(key - 750);
        layer.qkv[at] = to_bfloat16(x);
        layer.exact[at] = to_float(layer.qkv[at]);
      }
    }
    for (const Isa isa : isas_of_this_cpu()) {
      EXPECT_LE(layer.largest_error(layer.attend(isa, 2), isa), tolerance(isa, 0.5F))
          << name(isa) << ", slope: " << slope;
    }
  }
}

TEST(Attention, ServesShorterLayersAfterLongerOnes) {
  const Layer longer({40, 600, 2}, 3.0F);
  const Layer shorter({30, 45, 2}, 0.7F);
  for (const Isa isa : isas_of_this_cpu()) {
    ThreadPool pool(2);
    Attention attention(isa, 2, 600, 2);
    std::vector<float> out(static_cast<std::size_t>(40 * longer.n_state));
    for (const Layer* layer : {&longer, &shorter}) {
      pool.run_in_teams(1, [&](const TeamThread& me) {
        attention(layer->part(0, layer->shape.n_query), layer->part(1, layer->shape.n_key),
                  layer->part(2, layer->shape.n_key), out.data(), me);
      });
    }
    EXPECT_LE(shorter.largest_error(out, isa), tolerance(isa, 0.7F)) << name(isa);
  }
}

// A kernel may read more keys than there are, and multiply them with next to nothing.
TEST(Attention, ALayerWithoutNumbersLeavesNothingToTheNext) {
  Layer longer({40, 600, 2}, 0.7F);
  std::fill(longer.qkv.begin(), longer.qkv.end(), to_bfloat16(std::nanf("")));
  const Layer shorter({30, 45, 2}, 0.7F);
  for (const Isa isa : isas_of_this_cpu()) {
    ThreadPool pool(1);
    Attention attention(isa, 2, 600, 1);
    std::vector<float> out(static_cast<std::size_t>(40 * longer.n_state));
    for (const Layer* layer : {static_cast<const Layer*>(&longer), &shorter}) {
      pool.run_in_teams(1, [&](const TeamThread& me) {
        attention(layer->part(0, layer->shape.n_query), layer->part(1, layer->shape.n_key),
                  layer->part(2, layer->shape.n_key), out.data(), me);
      });
    }
    EXPECT_LE(shorter.largest_error(out, isa), tolerance(isa, 0.7F)) << name(isa);
  }
}

// Every row that a NaN has a part in becomes NaN, and no other: heads do not see each other.
TEST(Attention, WhatIsNoNumberStaysNone) {
  constexpr int broken_row = 37;
  for (const Isa isa : isas_of_this_cpu()) {
    for (const float broken : {std::nanf(""), -std::nanf("")}) {
      for (const int part : {0, 1, 2}) {  // queries, keys, values
        Layer layer({50, 50, 2}, 0.7F);
        layer.qkv[static_cast<std::size_t>((3 * broken_row + part) * layer.n_state + 5)] =
            to_bfloat16(broken);
        const std::vector<float> out = layer.attend(isa, 2);
        for (int row = 0; row < 50; ++row) {
          for (int i = 0; i < layer.n_state; ++i) {
            const bool hit =
                i < head_dim && (part != 0 || row == broken_row) && (part != 2 || i == 5);
            ASSERT_EQ(std::isnan(out[static_cast<std::size_t>(row * layer.n_state + i)]), hit)
                << name(isa) << " part " << part << " row " << row << " column " << i;
          }
        }
      }
    }
  }
}

TEST(AttentionLayout, PutsNeighbouringTermsSideBySide) {
  std::vector<Bfloat16> rows(static_cast<std::size_t>(19 * head_dim));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<Bfloat16>(i + 1);
  std::vector<Bfloat16> keys(packed_head_size(19), 0xFFFF);
  std::vector<Bfloat16> values(packed_head_size(19), 0xFFFF);
  const HeadRows all{rows.data(), head_dim, 19};
  pack_keys(all, 0, 2, reinterpret_cast<std::byte*>(keys.data()));
  pack_values(all, 0, 2, reinterpret_cast<std::byte*>(values.data()));
  for (int key = 0; key < 32; ++key) {
    for (int dim = 0; dim < head_dim; ++dim) {
      const int expected = key < 19 ? key * head_dim + dim + 1 : 0;
      EXPECT_EQ(keys[packed_key_index(key, dim)], expected);
      EXPECT_EQ(values[packed_value_index(key, dim)], expected);
    }
  }
  EXPECT_EQ(packed_key_index(1, 0), 2U);
  EXPECT_EQ(packed_key_index(0, 2), 32U);
  EXPECT_EQ(packed_value_index(1, 0), 1U);
  EXPECT_EQ(packed_value_index(0, 1), 2U);
}

}  // namespace
}  // namespace engine::kernels
