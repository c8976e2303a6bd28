#include "engine/kernels/decoder_attention/decoder_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/engine/kernels/attention/attention_test_support.h"
#include "tests/engine/kernels/isas.h"

namespace engine::kernels {
namespace {

constexpr int n_head = 3;
constexpr std::ptrdiff_t n_state = std::ptrdiff_t{n_head} * head_dim;
constexpr int n_layer = 2;

// Rows [count, n_state] of floats.
struct Rows {
  std::vector<float> data;

  Rows(int count, float deviation, unsigned seed)
      : data(random_floats(static_cast<std::size_t>(count * n_state), deviation, seed)) {}
  KvRows view(int first = 0) const { return {data.data() + first * n_state, n_state}; }
  const float* at(int row, int head) const {
    return data.data() + row * n_state + std::ptrdiff_t{head} * head_dim;
  }
};

// Keys and values like those of a window: a mean that is not zero, outliers in a few dimensions.
struct Window {
  Rows keys, values;
  KvStore store;

  Window(KvFormat format, int n_key, int capacity, unsigned seed)
      : keys(n_key, 1.0F, seed),
        values(n_key, 0.5F, seed + 1),
        store(format, n_layer, n_head, capacity) {
    for (int key = 0; key < n_key; ++key) {
      for (int head = 0; head < n_head; ++head) {
        const auto begin = static_cast<std::size_t>(key * n_state + head * head_dim);
        keys.data[begin + 3] += 4.0F;
        values.data[begin + 9] -= 1.0F;
      }
    }
    for (int head = 0; head < n_head; ++head) {
      store.write(1, head, 0, n_key, keys.view(), values.view());
    }
  }
};

struct Case {
  KvFormat format;
  int n_key;
};

class CrossAttention : public testing::TestWithParam<Case> {};

// The error of keys and values themselves: bfloat16 rounds to 1/512, int8 to 1/254 of the largest.
double format_tolerance(KvFormat format) {
  if (format == KvFormat::float32) return 5e-6;
  return format == KvFormat::int8 ? 0.05 : 0.02;
}

double largest_error(const std::vector<double>& expected, const float* got) {
  double error = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = std::abs(expected[i] - static_cast<double>(got[i]));
    if (std::isnan(off)) return off;
    error = std::max(error, off);
  }
  return error;
}

TEST_P(CrossAttention, AgreesWithTheReferenceOnEveryInstructionSet) {
  const auto [format, n_key] = GetParam();
  Window first(format, n_key, n_key, 1);
  Window second(format, n_key, n_key + 40, 5);
  // Three rows of one window, one of them with a shorter context, and the only row of another.
  const int shorter = std::max(1, n_key - 20);
  const std::vector<DecoderRow> rows = {{&first.store, n_key},
                                        {&first.store, shorter},
                                        {&first.store, n_key},
                                        {&second.store, shorter}};
  const Rows queries(4, 0.3F, 9);
  for (const Isa isa : isas_of_this_cpu()) {
    for (const int threads : {1, 3}) {
      Rows out(4, 0.0F, 1);
      std::vector<float> weights(static_cast<std::size_t>(4 * n_key), -1.0F);
      const std::vector<AttentionCapture> captures = {{2, weights.data(), n_key}};
      ThreadPool pool(threads);
      DecoderAttention attention(isa, n_key + 40, threads);
      pool.run([&](int index) {
        attention.across(1, rows, queries.view(), out.data.data(), captures, pool, index);
      });
      for (int row = 0; row < 4; ++row) {
        const Window& window = row < 3 ? first : second;
        const int own = rows[static_cast<std::size_t>(row)].n_key;
        for (int head = 0; head < n_head; ++head) {
          std::vector<double> expected_weights;
          const auto expected =
              reference(queries.at(row, head), window.keys.at(0, head), window.values.at(0, head),
                        own, n_state, &expected_weights);
          EXPECT_LE(largest_error(expected, out.at(row, head)), format_tolerance(format))
              << name(isa) << ", threads: " << threads << ", row: " << row;
          if (head != 2) continue;
          const float* got = weights.data() + static_cast<std::ptrdiff_t>(row) * n_key;
          EXPECT_LE(largest_error(expected_weights, got), format_tolerance(format)) << name(isa);
          double sum = 0;
          for (int key = 0; key < own; ++key) sum += static_cast<double>(got[key]);
          EXPECT_NEAR(sum, 1.0, 1e-5) << name(isa);
          if (own < n_key) {
            EXPECT_EQ(got[own], -1.0F) << "nothing is written beyond the last key";
          }
        }
      }
    }
  }
}

// Two rows of a window whose last keys stand for several, and a row of a window without such keys.
TEST_P(CrossAttention, AddsTheBiasOfAWindowOnEveryInstructionSet) {
  const auto [format, n_key] = GetParam();
  Window first(format, n_key, n_key, 1);
  Window second(format, n_key, n_key, 5);
  const std::vector<float> logs = log_counts(std::max(1, n_key / 5));
  const KeyBias bias{n_key - static_cast<int>(logs.size()), logs};
  const std::vector<DecoderRow> rows = {
      {&first.store, n_key, bias}, {&first.store, n_key, bias}, {&second.store, n_key}};
  const Rows queries(3, 0.3F, 9);
  for (const Isa isa : isas_of_this_cpu()) {
    Rows out(3, 0.0F, 1);
    std::vector<float> weights(static_cast<std::size_t>(3 * n_key), -1.0F);
    const std::vector<AttentionCapture> captures = {{1, weights.data(), n_key}};
    ThreadPool pool(2);
    DecoderAttention attention(isa, n_key, 2);
    pool.run([&](int index) {
      attention.across(1, rows, queries.view(), out.data.data(), captures, pool, index);
    });
    double changed = 0;
    for (int row = 0; row < 3; ++row) {
      const Window& window = row < 2 ? first : second;
      for (int head = 0; head < n_head; ++head) {
        std::vector<double> expected_weights;
        const auto expected =
            reference(queries.at(row, head), window.keys.at(0, head), window.values.at(0, head),
                      n_key, n_state, &expected_weights, row < 2 ? bias : KeyBias{});
        EXPECT_LE(largest_error(expected, out.at(row, head)), format_tolerance(format))
            << name(isa) << ", row: " << row;
        if (row < 2) {
          const auto unbiased = reference(queries.at(row, head), window.keys.at(0, head),
                                          window.values.at(0, head), n_key, n_state);
          changed = std::max(changed, largest_error(unbiased, out.at(row, head)));
        }
        if (head != 1) continue;
        const float* got = weights.data() + static_cast<std::ptrdiff_t>(row) * n_key;
        EXPECT_LE(largest_error(expected_weights, got), format_tolerance(format)) << name(isa);
      }
    }
    if (n_key > 1) {
      EXPECT_GT(changed, 2 * format_tolerance(format)) << "the bias is little";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CrossAttention,
                         testing::Values(Case{KvFormat::float32, 1}, Case{KvFormat::float32, 17},
                                         Case{KvFormat::float32, 100},
                                         Case{KvFormat::float32, 1500}, Case{KvFormat::bfloat16, 1},
                                         Case{KvFormat::bfloat16, 17},
                                         Case{KvFormat::bfloat16, 100},
                                         Case{KvFormat::bfloat16, 1500}, Case{KvFormat::int8, 1},
                                         Case{KvFormat::int8, 17}, Case{KvFormat::int8, 100},
                                         Case{KvFormat::int8, 1500}));

// The kernels add little to the error of the format: they agree with exact sums over what is
// stored.
TEST(CrossAttentionInt8, IsAsExactAsItsStore) {
  constexpr int n_key = 1500;
  Window window(KvFormat::int8, n_key, n_key, 3);
  const std::vector<DecoderRow> rows = {{&window.store, n_key}};
  const Rows queries(1, 0.4F, 9);
  const HeadKv kv = window.store.head(1, 0);
  std::vector<float> keys(static_cast<std::size_t>(n_key * head_dim));
  std::vector<float> values(keys.size());
  for (int key = 0; key < n_key; ++key) {
    for (int dim = 0; dim < head_dim; ++dim) {
      const auto at = static_cast<std::size_t>(key * head_dim + dim);
      const int stored_key = static_cast<const std::uint8_t*>(
          kv.keys)[(key / 16 * 16 + dim / 4) * 64 + key % 16 * 4 + dim % 4];
      const int stored_value =
          static_cast<const std::int8_t*>(kv.values)[(key / 4 * head_dim + dim) * 4 + key % 4];
      keys[at] = static_cast<float>(stored_key - 128) * kv.key_scale[key];
      values[at] = static_cast<float>(stored_value) * kv.value_scale[key];
    }
  }
  const auto expected = reference(queries.at(0, 0), keys.data(), values.data(), n_key, head_dim);
  for (const Isa isa : isas_of_this_cpu()) {
    Rows out(1, 0.0F, 1);
    ThreadPool pool(1);
    DecoderAttention attention(isa, n_key, 1);
    pool.run([&](int index) {
      attention.across(1, rows, queries.view(), out.data.data(), {}, pool, index);
    });
    EXPECT_LE(largest_error(expected, out.at(0, 0)), 2e-3) << name(isa);
  }
}

// Row 0 reads a window with a NaN in it, row 1 another one.
TEST_P(CrossAttention, WhatIsNoNumberStaysNone) {
  const auto [format, n_key] = GetParam();
  for (const Isa isa : isas_of_this_cpu()) {
    for (const int part : {0, 1, 2}) {  // queries, keys, values
      Window broken(format, n_key, n_key, 1);
      Window whole(format, n_key, n_key, 5);
      Rows queries(2, 0.3F, 9);
      const int key = n_key / 2;
      Rows& into = part == 0 ? queries : part == 1 ? broken.keys : broken.values;
      into.data[static_cast<std::size_t>((part == 0 ? 0 : key) * n_state + 2)] = std::nanf("");
      broken.store.write(1, 0, 0, n_key, broken.keys.view(), broken.values.view());
      const std::vector<DecoderRow> rows = {{&broken.store, n_key}, {&whole.store, n_key}};
      Rows out(2, 0.0F, 1);
      ThreadPool pool(2);
      DecoderAttention attention(isa, n_key, 2);
      pool.run([&](int index) {
        attention.across(1, rows, queries.view(), out.data.data(), {}, pool, index);
      });
      EXPECT_TRUE(std::isnan(out.at(0, 0)[2])) << name(isa) << " part " << part;
      for (int i = 0; i < head_dim; ++i) {
        EXPECT_FALSE(std::isnan(out.at(0, 1)[i])) << name(isa) << " part " << part;
        EXPECT_FALSE(std::isnan(out.at(1, 0)[i])) << name(isa) << " part " << part;
      }
    }
  }
}

class SelfAttention : public testing::TestWithParam<KvFormat> {};

// A prompt of one row and its next two steps, beside another row that is further along.
TEST_P(SelfAttention, SeesThePromptAndWhatFollows) {
  const KvFormat format = GetParam();
  constexpr int prompt = 37;
  for (const Isa isa : isas_of_this_cpu()) {
    KvStore store(format, n_layer, n_head, 64);
    Window other(format, 50, 64, 11);
    const Rows queries(prompt + 2, 0.3F, 2);
    const Rows keys(prompt + 2, 1.0F, 3);
    const Rows values(prompt + 2, 0.5F, 4);
    Rows out(prompt + 2, 0.0F, 1);
    ThreadPool pool(2);
    DecoderAttention attention(isa, 64, 2);
    std::vector<DecoderRow> rows;
    for (int i = 0; i < prompt; ++i) rows.push_back({&store, i + 1});
    pool.run([&](int index) {
      attention.to_itself(1, rows, queries.view(), keys.view(), values.view(), out.data.data(),
                          pool, index);
    });
    for (int step = prompt; step < prompt + 2; ++step) {
      // The second row of the batch has its own store, and its newest position lies beside ours.
      Rows two_queries(2, 0.3F, 20), two_keys(2, 1.0F, 21), two_values(2, 0.5F, 22), two(2, 0, 1);
      std::copy_n(queries.at(step, 0), n_state, two_queries.data.begin());
      std::copy_n(keys.at(step, 0), n_state, two_keys.data.begin());
      std::copy_n(values.at(step, 0), n_state, two_values.data.begin());
      const std::vector<DecoderRow> both = {{&store, step + 1}, {&other.store, 51}};
      pool.run([&](int index) {
        attention.to_itself(1, both, two_queries.view(), two_keys.view(), two_values.view(),
                            two.data.data(), pool, index);
      });
      std::copy_n(two.at(0, 0), n_state, out.data.begin() + step * n_state);
    }
    for (int row = 0; row < prompt + 2; ++row) {
      for (int head = 0; head < n_head; ++head) {
        const auto expected = reference(queries.at(row, head), keys.at(0, head), values.at(0, head),
                                        row + 1, n_state);
        EXPECT_LE(largest_error(expected, out.at(row, head)), format_tolerance(format))
            << name(isa) << ", row: " << row;
      }
    }
  }
}

// A store is used for one text after the other.
TEST_P(SelfAttention, SeesNothingOfATextBeforeIt) {
  const Rows keys(40, 1.0F, 3);
  const Rows values(40, 0.5F, 4);
  const Rows queries(40, 0.3F, 2);
  Rows broken(40, 1.0F, 3);
  std::fill(broken.data.begin(), broken.data.end(), std::nanf(""));
  for (const Isa isa : isas_of_this_cpu()) {
    for (const int length : {1, 15, 16, 17, 33}) {
      KvStore store(GetParam(), n_layer, n_head, 64);
      for (int head = 0; head < n_head; ++head) {
        store.write(1, head, 0, 40, broken.view(), broken.view());
      }
      Rows out(40, 0.0F, 1);
      ThreadPool pool(2);
      DecoderAttention attention(isa, 64, 2);
      std::vector<DecoderRow> rows;
      for (int i = 0; i < length; ++i) rows.push_back({&store, i + 1});
      pool.run([&](int index) {
        attention.to_itself(1, rows, queries.view(), keys.view(), values.view(), out.data.data(),
                            pool, index);
      });
      for (int row = 0; row < length; ++row) {
        const auto expected =
            reference(queries.at(row, 1), keys.at(0, 1), values.at(0, 1), row + 1, n_state);
        EXPECT_LE(largest_error(expected, out.at(row, 1)), format_tolerance(GetParam()))
            << name(isa) << ", row " << row << " of " << length;
      }
    }
  }
}

TEST_P(SelfAttention, ContinuesACopiedStore) {
  Window from(GetParam(), 21, 64, 11);
  Window to(GetParam(), 40, 64, 15);
  for (int head = 0; head < n_head; ++head) to.store.copy(from.store, 1, head, 21);
  const Rows queries(2, 0.3F, 2);
  Rows out(2, 0.0F, 1);
  ThreadPool pool(1);
  DecoderAttention attention(own_isas.front(), 64, 1);
  // Not the same store: two runs.
  const std::vector<DecoderRow> rows = {{&from.store, 21}, {&to.store, 21}};
  KvRows same = queries.view();
  same.stride = 0;
  pool.run([&](int index) { attention.across(1, rows, same, out.data.data(), {}, pool, index); });
  for (int i = 0; i < n_state; ++i) EXPECT_EQ(out.at(0, 0)[i], out.at(1, 0)[i]);
}

INSTANTIATE_TEST_SUITE_P(All, SelfAttention,
                         testing::Values(KvFormat::float32, KvFormat::bfloat16, KvFormat::int8));

}  // namespace
}  // namespace engine::kernels
