#pragma once

#include "engine/cuda_kernels/choice_arguments.h"

// The beginning and the end of a step besides the layers and the choice: the rows' embeddings, and
// the histories of beams that go from slot to slot.
#ifdef __CUDACC_RTC__
namespace kernels_on_cards {
#else
namespace engine::cuda_kernels {
#endif

template <class T>
struct EmbeddingArguments {
  const int64* numbers;  // [slots, n_numbers], see ChoiceColumns
  const int64* slots;    // [rows]
  const T* tokens;       // [n_vocab, n]
  const T* places;       // [n_text_ctx, n]
  T* x;                  // [rows, n]
  int64* positions;      // [rows]
  int n;
};

// The grid is [rows].
template <class T>
KERNEL_BODY void row_embedding(const EmbeddingArguments<T>& a, const Block& block) {
  const int64* const own = a.numbers + a.slots[block.x()] * ChoiceColumns::n_numbers;
  const int64 position = own[ChoiceColumns::position];
  const T* const token = a.tokens + own[ChoiceColumns::token] * a.n;
  const T* const place = a.places + position * a.n;
  T* const x = a.x + static_cast<int64>(block.x()) * a.n;
  block.each_thread([&](int thread) {
    if (thread == 0) a.positions[block.x()] = position;
    for (int i = thread; i < a.n; i += threads_of_a_block) {
      x[i] = Number<T>::rounded(Number<T>::to_float(token[i]) + Number<T>::to_float(place[i]));
    }
  });
}

// A history is moved in words of eight bytes.
struct MoveArguments {
  int64* history;     // [planes, slots, heads, positions, words]; planes are layers, keys or values
  const int64* from;  // [searches, beam_size] slots
  const int64* to;    // likewise; -1: places that are left over
  int64 plane_stride;
  int64 slot_stride;
  int64 head_stride;
  int words;  // of a head that are moved
  int heads;
  int beam_size;  // at most most_beams
};

// The grid is [blocks of words, planes, searches]. A thread moves one word of all beams: it has
// read those of all when it writes the first, and no other touches them. So they move all at once.
KERNEL_BODY void move_beams(const MoveArguments& a, const Block& block) {
  const int64* const from = a.from + static_cast<int64>(block.z()) * a.beam_size;
  const int64* const to = a.to + static_cast<int64>(block.z()) * a.beam_size;
  block.each_thread([&](int thread) {
    const int word = block.x() * threads_of_a_block + thread;
    if (to[0] < 0 || word >= a.words * a.heads) return;
    int64* const place =
        a.history + block.y() * a.plane_stride + word / a.words * a.head_stride + word % a.words;
    int64 values[most_beams];
    for (int i = 0; i < a.beam_size; ++i) values[i] = place[from[i] * a.slot_stride];
    for (int i = 0; i < a.beam_size; ++i) {
      if (from[i] != to[i]) place[to[i] * a.slot_stride] = values[i];
    }
  });
}

}  // namespace
