#pragma once

#include "engine/cuda_kernels/choice_columns.h"

// A choice of tokens takes two launches: choice_pieces.h looks at the logits of each row in pieces
// of the vocabulary, and choice_join.h joins the pieces and writes the tables.
#ifdef __CUDACC_RTC__
namespace kernels_on_cards {
#else
namespace engine::cuda_kernels {
#endif

constexpr int tokens_of_a_piece = 2048;
constexpr int most_beams = 8;

// The numbers of a piece: its highest logit, the sum of the exponentials of what its logits are
// below that, and the sum of all of its logits, forbidden or not.
constexpr int sums_of_a_piece = 3;

// Less than any logit; a token that may not be chosen has this score.
constexpr float forbidden_score = -3.0e38f;

struct ChoiceArguments {
  const float* logits;             // [rows, n_vocab]
  int64* numbers;                  // [slots, n_numbers], see ChoiceColumns
  const double* reals;             // [slots, n_reals]
  float* sum_logprobs;             // [slots]
  const unsigned char* forbidden;  // [slots, n_vocab]
  const int64* pairings;           // [6, 4]
  const int64* slots;              // [rows]
  const int64* search_rows;        // [searches, beam_size]
  const int64* beam_sizes;         // [searches]
  // Between the launches.
  float* sums;    // [rows, pieces, sums_of_a_piece]
  float* scores;  // [rows, pieces, ranks]: of the tokens to choose, the best first
  int* tokens;    // [rows, pieces, ranks]: -1 where a piece has no more
  // The results, each [rows] or [searches, beam_size].
  int* said_tokens;
  float* said_logprobs;
  float* said_sums;
  float* said_checks;
  int* said_sources;
  int* said_ended;
  float* said_ended_sums;
  int64* from;  // slots whose histories go to others
  int64* to;    // -1: places that are left over
  int rows;
  int searches;
  int beam_size;
  int n_vocab;
  int timestamp_begin;
  int eot;
  int last_position;
  int nobody;  // slot of rows that belong to no decode
  int ranks;
  bool samples;
};

// Pieces are of text or of timestamps, and those of text come first.
KERNEL_BODY int count_pieces(int tokens) {
  return (tokens + tokens_of_a_piece - 1) / tokens_of_a_piece;
}
KERNEL_BODY int count_text_pieces(const ChoiceArguments& a) {
  return count_pieces(a.timestamp_begin);
}
KERNEL_BODY int count_all_pieces(const ChoiceArguments& a) {
  return count_text_pieces(a) + count_pieces(a.n_vocab - a.timestamp_begin);
}

}  // namespace
