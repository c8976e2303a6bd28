#include "engine/kernels/attention/attention_float32.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/engine/kernels/attention/attention_test_support.h"
#include "tests/engine/kernels/isas.h"

namespace engine::kernels {
namespace {

// What float32 rounds in sums over 1500 keys, and in scores of ±25.
constexpr double rounding = 5e-6;

constexpr int n_head = 2;
constexpr std::ptrdiff_t n_state = std::ptrdiff_t{n_head} * head_dim;

// A layer's fused projection [count, 3·n_state].
class Layer {
 public:
  Layer(int count, float deviation)
      : count_(count),
        qkv_(random_floats(static_cast<std::size_t>(count * 3 * n_state), deviation, 7)) {}

  Float32AttentionRows part(int which, int count) const {
    return {qkv_.data() + which * n_state, 3 * n_state, count};
  }
  std::vector<float> attend(Float32Attention& attention, ThreadPool& pool, int n_query,
                            const KeyBias& bias = {}) const {
    std::vector<float> out(static_cast<std::size_t>(n_query * n_state), -1.0F);
    pool.run_in_teams(1, [&](const TeamThread& me) {
      attention(part(0, n_query), part(1, count_), part(2, count_), out.data(), me, bias);
    });
    return out;
  }
  std::vector<float> attend(Isa isa, int threads, int n_query, const KeyBias& bias = {}) const {
    ThreadPool pool(threads);
    Float32Attention attention(isa, n_head, count_ + 5, threads);
    return attend(attention, pool, n_query, bias);
  }
  float& at(int part, int row, int column) {
    return qkv_[static_cast<std::size_t>(row * 3 * n_state + part * n_state + column)];
  }

  double largest_error(const std::vector<float>& out, const KeyBias& bias = {}) const {
    double error = 0;
    const int n_query = static_cast<int>(out.size()) / static_cast<int>(n_state);
    for (int row = 0; row < n_query; ++row) {
      for (int head = 0; head < n_head; ++head) {
        const float* query = qkv_.data() + row * 3 * n_state + head * head_dim;
        const float* first = qkv_.data() + head * head_dim;
        const auto expected = reference(query, first + n_state, first + 2 * n_state, count_,
                                        3 * n_state, nullptr, bias);
        for (int i = 0; i < head_dim; ++i) {
          const double got = out[static_cast<std::size_t>(row * n_state + head * head_dim + i)];
          const double off = std::abs(got - expected[static_cast<std::size_t>(i)]);
          if (std::isnan(off)) return off;
          error = std::max(error, off);
        }
      }
    }
    return error;
  }

 private:
  int count_;
  std::vector<float> qkv_;
};

TEST(Float32Attention, AgreesWithTheReferenceOnEveryInstructionSet) {
  // One key, panels of 64 keys that are not full, full, and begun; tiles of queries likewise.
  for (const int count : {1, 17, 63, 64, 65, 500, 1500}) {
    const Layer layer(count, 0.7F);
    for (const Isa isa : isas_of_this_cpu()) {
      for (const int threads : {1, 3}) {
        const auto out = layer.attend(isa, threads, std::min(count, 50));
        EXPECT_LE(layer.largest_error(out), rounding)
            << name(isa) << ' ' << count << ' ' << threads;
      }
    }
  }
}

TEST(Float32Attention, AddsTheBiasOfKeysOnEveryInstructionSet) {
  for (const int first : {0, 50, 70}) {
    const Layer layer(100, 0.7F);
    const std::vector<float> logs = log_counts(100 - first);
    const KeyBias bias{first, logs};
    for (const Isa isa : isas_of_this_cpu()) {
      const auto out = layer.attend(isa, 2, 50, bias);
      EXPECT_LE(layer.largest_error(out, bias), rounding) << name(isa) << ' ' << first;
      EXPECT_GT(layer.largest_error(out), 1000 * rounding) << "the bias is little";
    }
  }
}

TEST(Float32Attention, KeepsApartScoresThatAreFarFromEachOther) {
  const Layer layer(200, 12.0F);
  for (const Isa isa : isas_of_this_cpu()) {
    EXPECT_LE(layer.largest_error(layer.attend(isa, 1, 9)), 5e-3) << name(isa);
  }
}

TEST(Float32Attention, ServesShorterLayersAfterLongerOnes) {
  const Layer longer(600, 3.0F);
  const Layer shorter(45, 0.7F);
  for (const Isa isa : isas_of_this_cpu()) {
    ThreadPool pool(2);
    Float32Attention attention(isa, n_head, 600, 2);
    longer.attend(attention, pool, 40);
    EXPECT_LE(shorter.largest_error(shorter.attend(attention, pool, 30)), rounding) << name(isa);
  }
}

// Every row that a NaN has a part in becomes NaN, and no other: heads do not see each other.
TEST(Float32Attention, WhatIsNoNumberStaysNone) {
  constexpr int broken_row = 37;
  for (const Isa isa : isas_of_this_cpu()) {
    for (const int part : {0, 1, 2}) {  // queries, keys, values
      Layer layer(50, 0.7F);
      layer.at(part, broken_row, 5) = std::nanf("");
      const std::vector<float> out = layer.attend(isa, 2, 50);
      for (int row = 0; row < 50; ++row) {
        for (int i = 0; i < n_state; ++i) {
          const bool hit =
              i < head_dim && (part != 0 || row == broken_row) && (part != 2 || i == 5);
          ASSERT_EQ(std::isnan(out[static_cast<std::size_t>(row * n_state + i)]), hit)
              << name(isa) << " part " << part << " row " << row << " column " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace engine::kernels
