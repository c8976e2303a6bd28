#pragma once

#include "engine/cuda_kernels/choice_arguments.h"
#include "engine/cuda_kernels/reduce_threads.h"

// The logits of a row, one piece of the vocabulary in each block: sums, and the best tokens.
#ifdef __CUDACC_RTC__
namespace kernels_on_cards {
#else
namespace engine::cuda_kernels {
#endif

// The bytes of shared memory of a block: a score for each token, and three numbers for each thread.
constexpr int choice_pieces_shared_bytes = (tokens_of_a_piece + 3 * threads_of_a_block) * 4;

// The rules of a row as ranges, see DeviceChooser.
struct RowRules {
  const unsigned char* forbidden;
  int64 text_from;
  int64 timestamp_from;
  int64 timestamp_to;
  int timestamp_begin;

  KERNEL_BODY bool allow(int token) const {
    if (forbidden[token] != 0) return false;
    if (token < timestamp_begin) return token >= text_from;
    return token >= timestamp_from && token < timestamp_to;
  }
};

KERNEL_BODY RowRules rules_of(const ChoiceArguments& a, int64 slot) {
  const int64* const own = a.numbers + slot * ChoiceColumns::n_numbers;
  return {a.forbidden + slot * a.n_vocab, own[ChoiceColumns::text_from],
          own[ChoiceColumns::timestamp_from], own[ChoiceColumns::timestamp_to], a.timestamp_begin};
}

KERNEL_BODY unsigned scrambled(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// Noise of the standard Gumbel distribution, as random_noise.h has it.
KERNEL_BODY float noise_of(const int64* row, int token) {
  const auto counter = static_cast<unsigned>(row[ChoiceColumns::position]);
  const auto key = static_cast<unsigned>(row[ChoiceColumns::noise_key]);
  const auto other = static_cast<unsigned>(row[ChoiceColumns::other_noise_key]);
  const unsigned of_row = scrambled(counter + key) ^ other;
  const unsigned x = scrambled(scrambled(static_cast<unsigned>(token)) ^ of_row);
  const float uniform = (static_cast<float>(x) + 0.5f) * 2.3283064365386963e-10f;
  return -logarithm(-logarithm_of_one_and(-uniform));
}

// Heats the scores and adds noise, where the row takes samples.
KERNEL_BODY void draw(const ChoiceArguments& a, const Block& block, int64 slot, int first,
                      int count, float* scores) {
  const auto heat =
      static_cast<float>(a.reals[slot * ChoiceColumns::n_reals + ChoiceColumns::temperature]);
  const int64* const own = a.numbers + slot * ChoiceColumns::n_numbers;
  block.each_thread([&](int thread) {
    if (!(heat > 0)) return;
    for (int i = thread; i < count; i += threads_of_a_block) {
      if (scores[i] > forbidden_score) scores[i] = scores[i] / heat + noise_of(own, first + i);
    }
  });
}

// Finds the tokens with the highest scores, the first of equal ones before the others.
KERNEL_BODY void rank_tokens(const ChoiceArguments& a, const Block& block, int first, int count,
                             float* scores, float* numbers, int* places) {
  const int64 place = (static_cast<int64>(block.y()) * count_all_pieces(a) + block.x()) * a.ranks;
  for (int rank = 0; rank < a.ranks; ++rank) {
    block.each_thread([&](int thread) {
      numbers[thread] = forbidden_score;
      places[thread] = -1;
      for (int i = thread; i < count; i += threads_of_a_block) {
        if (!(scores[i] > numbers[thread])) continue;
        numbers[thread] = scores[i];
        places[thread] = i;
      }
    });
    for (int half = threads_of_a_block / 2; half > 0; half /= 2) {
      block.each_thread([&](int thread) {
        if (thread >= half || places[thread + half] < 0) return;
        const float other = numbers[thread + half];
        const bool is_first = other == numbers[thread] && places[thread + half] < places[thread];
        if (!(other > numbers[thread]) && !is_first) return;
        numbers[thread] = other;
        places[thread] = places[thread + half];
      });
    }
    block.each_thread([&](int thread) {
      if (thread != 0) return;
      a.scores[place + rank] = numbers[0];
      a.tokens[place + rank] = places[0] < 0 ? -1 : first + places[0];
      if (places[0] >= 0) scores[places[0]] = forbidden_score;
    });
  }
}

// The grid is [pieces, rows].
KERNEL_BODY void choice_piece(const ChoiceArguments& a, const Block& block, void* shared) {
  float* const scores = static_cast<float*>(shared);
  float* const numbers = scores + tokens_of_a_piece;
  float* const others = numbers + threads_of_a_block;
  int* const places = reinterpret_cast<int*>(others + threads_of_a_block);
  const int text_pieces = count_text_pieces(a);
  const bool is_text = block.x() < text_pieces;
  const int first = is_text ? block.x() * tokens_of_a_piece
                            : a.timestamp_begin + (block.x() - text_pieces) * tokens_of_a_piece;
  const int end = smaller(first + tokens_of_a_piece, is_text ? a.timestamp_begin : a.n_vocab);
  const int count = end - first;
  const int row = block.y();
  const int64 slot = a.slots[row];
  const RowRules rules = rules_of(a, slot);
  const float* const logits = a.logits + static_cast<int64>(row) * a.n_vocab + first;
  float* const sums =
      a.sums + (static_cast<int64>(row) * count_all_pieces(a) + block.x()) * sums_of_a_piece;
  block.each_thread([&](int thread) {
    float largest = forbidden_score;
    float all = 0;
    for (int i = thread; i < count; i += threads_of_a_block) {
      all += logits[i];
      scores[i] = rules.allow(first + i) ? logits[i] : forbidden_score;
      largest = larger(largest, scores[i]);
    }
    numbers[thread] = largest;
    others[thread] = all;
  });
  reduce_threads(block, numbers, [](float x, float y) { return larger(x, y); });
  reduce_threads(block, others, [](float x, float y) { return x + y; });
  block.each_thread([&](int thread) {
    if (thread != 0) return;
    sums[0] = numbers[0];
    sums[2] = others[0];
  });
  block.each_thread([&](int thread) {
    float sum = 0;
    for (int i = thread; i < count; i += threads_of_a_block) {
      if (scores[i] > forbidden_score) sum += exponential(scores[i] - numbers[0]);
    }
    others[thread] = sum;
  });
  reduce_threads(block, others, [](float x, float y) { return x + y; });
  block.each_thread([&](int thread) {
    if (thread == 0) sums[1] = others[0];
  });
  if (a.samples) draw(a, block, slot, first, count, scores);
  rank_tokens(a, block, first, count, scores, numbers, places);
}

}  // namespace
