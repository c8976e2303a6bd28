#pragma once

#include "engine/cuda_kernels/reduce_threads.h"

// Attention of one query in each row over keys and values that lie in slots: those of the row's own
// history, or of the window that several rows look at.
#ifdef __CUDACC_RTC__
namespace kernels_on_cards {
#else
namespace engine::cuda_kernels {
#endif

constexpr int head_width = 64;
constexpr int keys_of_a_split = 512;  // the most that a block looks at
// A thread adds up four columns of the values of every sixteenth key.
constexpr int columns_of_a_thread = 4;
constexpr int threads_of_a_value = head_width / columns_of_a_thread;
constexpr int groups_of_values = threads_of_a_block / threads_of_a_value;

template <class Stored>
constexpr bool is_int8 = sizeof(Stored) == 1;

// Keys and values are numbers of the type T, or int8 with a scale for each position of a head.
template <class T, class Stored = T>
struct AttentionArguments {
  const T* query;      // [rows, heads·64], the factor is in it
  const Stored* keys;  // [slots, heads, positions, 64], as the two strides say
  const Stored* values;
  const T* key_scales;  // [slots, heads, positions], with 1/64 of the strides; null without int8
  const T* value_scales;
  const float* key_bias;   // [slots, positions]: it is added to the scores; null: nothing is
  const int64* slots;      // [rows]
  const int64* positions;  // [rows]: a row looks at these and all before; null: at `length` keys
  T* out;                  // [rows, heads·64]
  float* partial;          // [rows, heads, splits, 66]: maximum, sum and values of each split
  int* counters;           // [rows, heads], 0 before and after
  int64 slot_stride;
  int64 head_stride;
  int64 bias_stride;  // from one slot's bias to the next
  int rows;
  int heads;
  int length;  // the longest
  int splits;  // blocks of a row's head; each has a piece of its keys
};

// The bytes of shared memory of a block: the query, a score for each key, the columns of each
// thread, and a flag.
constexpr int attention_shared_bytes =
    (head_width + keys_of_a_split + threads_of_a_block * columns_of_a_thread + 4) * 4;

template <class T, class Stored>
struct Piece {
  const Stored* keys;
  const Stored* values;
  const T* key_scales;
  const T* value_scales;
  const float* key_bias;
  int count;
};

template <class T, class Stored>
KERNEL_BODY Piece<T, Stored> piece_of(const AttentionArguments<T, Stored>& a, const Block& block) {
  const int row = block.y();
  const int length = a.positions == nullptr ? a.length : static_cast<int>(a.positions[row]) + 1;
  const int size = (length + a.splits - 1) / a.splits;
  const int first = smaller(block.z() * size, length);
  const int64 place = a.slots[row] * a.slot_stride + block.x() * a.head_stride +
                      static_cast<int64>(first) * head_width;
  Piece<T, Stored> piece{a.keys + place, a.values + place, nullptr,
                         nullptr,        nullptr,          smaller(size, length - first)};
  if (a.key_bias != nullptr) piece.key_bias = a.key_bias + a.slots[row] * a.bias_stride + first;
  if constexpr (is_int8<Stored>) {
    piece.key_scales = a.key_scales + place / head_width;
    piece.value_scales = a.value_scales + place / head_width;
  }
  return piece;
}

// Adds up the splits of a head in their order, and divides by the sum of all weights.
template <class T, class Stored>
KERNEL_BODY void join_splits(const AttentionArguments<T, Stored>& a, const Block& block,
                             const float* partial) {
  block.each_thread([&](int thread) {
    if (thread >= head_width) return;
    float largest = partial[0];
    for (int i = 1; i < a.splits; ++i) largest = larger(largest, partial[i * (head_width + 2)]);
    float sum = 0;
    float value = 0;
    for (int i = 0; i < a.splits; ++i) {
      const float* const part = partial + i * (head_width + 2);
      const float weight = exponential(part[0] - largest);
      sum += weight * part[1];
      value += weight * part[2 + thread];
    }
    const int64 place = (static_cast<int64>(block.y()) * a.heads + block.x()) * head_width + thread;
    a.out[place] = Number<T>::rounded(value / sum);
  });
}

// Keys are read sixteen bytes at a time.
template <class Stored>
KERNEL_BODY float product_of_head(const float* query, const Stored* key) {
  constexpr int count = 16 / static_cast<int>(sizeof(Stored));
  float sum = 0;
  for (int i = 0; i < head_width; i += count) {
    float numbers[count];
    read_numbers<count>(key + i, numbers);
    for (int j = 0; j < count; ++j) sum += query[i + j] * numbers[j];
  }
  return sum;
}

// Adds up a thread's columns of the values, weighted by the scores.
template <class T, class Stored>
KERNEL_BODY void add_values(const Piece<T, Stored>& piece, int thread, const float* scores,
                            float* columns) {
  const Stored* const place = piece.values + thread % threads_of_a_value * columns_of_a_thread;
  float sums[columns_of_a_thread] = {};
  for (int key = thread / threads_of_a_value; key < piece.count; key += groups_of_values) {
    float values[columns_of_a_thread];
    read_numbers<columns_of_a_thread>(place + static_cast<int64>(key) * head_width, values);
    for (int i = 0; i < columns_of_a_thread; ++i) sums[i] += scores[key] * values[i];
  }
  for (int i = 0; i < columns_of_a_thread; ++i) columns[thread * columns_of_a_thread + i] = sums[i];
}

// The grid is [heads, rows, splits]. Scores, weights and sums are float32; only the result is
// rounded.
template <class T, class Stored>
KERNEL_BODY void one_query_attention(const AttentionArguments<T, Stored>& a, const Block& block,
                                     void* shared) {
  float* const query = static_cast<float*>(shared);
  float* const scores = query + head_width;
  float* const numbers = scores + keys_of_a_split;
  int* const flag = reinterpret_cast<int*>(numbers + threads_of_a_block * columns_of_a_thread);
  const Piece<T, Stored> piece = piece_of(a, block);
  const int64 head = static_cast<int64>(block.y()) * a.heads + block.x();
  float* const partial = a.partial + (head * a.splits + block.z()) * (head_width + 2);
  constexpr float lowest = -3.0e38f;
  block.each_thread([&](int thread) {
    if (thread < head_width)
      query[thread] = Number<T>::to_float(a.query[head * head_width + thread]);
  });
  block.each_thread([&](int thread) {
    float largest = lowest;
    for (int key = thread; key < piece.count; key += threads_of_a_block) {
      float score = product_of_head(query, piece.keys + static_cast<int64>(key) * head_width);
      if constexpr (is_int8<Stored>) score *= Number<T>::to_float(piece.key_scales[key]);
      if (piece.key_bias != nullptr) score += piece.key_bias[key];
      scores[key] = score;
      largest = larger(largest, score);
    }
    numbers[thread] = largest;
  });
  reduce_threads(block, numbers, [](float x, float y) { return larger(x, y); });
  block.each_thread([&](int thread) {
    if (thread == 0) partial[0] = numbers[0];
  });
  block.each_thread([&](int thread) {
    const float largest = partial[0];
    float sum = 0;
    for (int key = thread; key < piece.count; key += threads_of_a_block) {
      scores[key] = exponential(scores[key] - largest);
      sum += scores[key];
      // The value's scale belongs to its weight from here on.
      if constexpr (is_int8<Stored>) scores[key] *= Number<T>::to_float(piece.value_scales[key]);
    }
    numbers[thread] = sum;
  });
  reduce_threads(block, numbers, [](float x, float y) { return x + y; });
  block.each_thread([&](int thread) {
    if (thread == 0) partial[1] = numbers[0];
  });
  block.each_thread([&](int thread) { add_values(piece, thread, scores, numbers); });
  block.each_thread([&](int thread) {
    if (thread >= head_width) return;
    float value = 0;
    for (int group = 0; group < groups_of_values; ++group) {
      value += numbers[group * head_width + thread];
    }
    partial[2 + thread] = value;
  });
  if (!block.is_last_of(a.counters + head, a.splits, flag)) return;
  join_splits(a, block, a.partial + head * a.splits * (head_width + 2));
}

}  // namespace
