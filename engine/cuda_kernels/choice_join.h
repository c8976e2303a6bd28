#pragma once

#include "engine/cuda_kernels/choice_arguments.h"

// Joins the pieces of a row, chooses, and writes what the next choice reads.
#ifdef __CUDACC_RTC__
namespace kernels_on_cards {
#else
namespace engine::cuda_kernels {
#endif

constexpr int most_candidates = most_beams * (most_beams + 1);

// A token that may be chosen next.
struct Candidate {
  int token;
  float logprob;
  float sum;  // of the row's logprobs with this one
};

// A block's shared memory: the continuations of all beams of a search, beam after beam, and the
// beams' tables as they were before.
struct SearchMemory {
  int64 before[most_beams * ChoiceColumns::n_numbers];
  Candidate candidates[most_candidates];
  int taken[most_candidates];
  int chosen[most_beams];  // of the candidates
  int ended[most_beams];
  int flag;
};
constexpr int choice_join_shared_bytes = sizeof(SearchMemory);

// The sum of exponentials of some of a row's pieces.
struct Total {
  float largest;
  float sum;
};

KERNEL_BODY Total total_of(const ChoiceArguments& a, int row, int first, int end) {
  const float* const sums =
      a.sums + static_cast<int64>(row) * count_all_pieces(a) * sums_of_a_piece;
  Total total{forbidden_score, 0};
  for (int i = first; i < end; ++i)
    total.largest = larger(total.largest, sums[i * sums_of_a_piece]);
  for (int i = first; i < end; ++i) {
    const float* const piece = sums + i * sums_of_a_piece;
    total.sum += piece[1] * exponential(piece[0] - total.largest);
  }
  return total;
}

// The tokens that a row may take, best first. Where all timestamps together are likelier than any
// text token, one of them is taken.
class RowTokens {
 public:
  KERNEL_BODY RowTokens(const ChoiceArguments& a, int row) : a_(a), row_(row) {
    const int text = count_text_pieces(a);
    const int all = count_all_pieces(a);
    const int64* const own = a.numbers + a.slots[row] * ChoiceColumns::n_numbers;
    const Total timestamps = total_of(a, row, text, all);
    const float highest_text = total_of(a, row, 0, text).largest;
    const bool rules_apply = own[ChoiceColumns::first_timestamp] < a.n_vocab;
    const bool likely = rules_apply && timestamps.sum > 0 &&
                        logarithm(timestamps.sum) + timestamps.largest > highest_text;
    first_piece_ = likely ? text : 0;
    const Total total = likely ? timestamps : total_of(a, row, 0, all);
    largest_ = total.largest;
    log_sum_ = logarithm(total.sum);
  }

  // Returns the best token behind the last one that was returned; -1: there is none. Behind -1 it
  // would begin again.
  KERNEL_BODY int next() {
    const int pieces = count_all_pieces(a_);
    int best = -1;
    float best_score = forbidden_score;
    for (int piece = first_piece_; piece < pieces; ++piece) {
      const int64 place = (static_cast<int64>(row_) * pieces + piece) * a_.ranks;
      for (int rank = 0; rank < a_.ranks; ++rank) {
        const int token = a_.tokens[place + rank];
        const float score = a_.scores[place + rank];
        if (token < 0) break;
        if (last_ >= 0 && (score > score_ || (score == score_ && token <= last_))) continue;
        if (score > best_score) {
          best = token;
          best_score = score;
        }
        break;  // what follows in this piece is worse
      }
    }
    last_ = best;
    score_ = best_score;
    return best;
  }

  KERNEL_BODY float logprob(int token) const {
    const float logit = a_.logits[static_cast<int64>(row_) * a_.n_vocab + token];
    return (logit - largest_) - log_sum_;
  }

 private:
  const ChoiceArguments& a_;
  int row_;
  int first_piece_ = 0;
  float largest_ = 0;
  float log_sum_ = 0;
  int last_ = -1;
  float score_ = 0;
};

// Writes what follows from a token for the row's next choice.
//   before  the numbers of the row that is continued
KERNEL_BODY void keep_token(const ChoiceArguments& a, int64 slot, const int64* before, int token,
                            float sum) {
  using Columns = ChoiceColumns;
  int64* const own = a.numbers + slot * Columns::n_numbers;
  const bool is_timestamp = token >= before[Columns::first_timestamp];
  const int64* const next =
      a.pairings + 4 * ((is_timestamp ? 1 : 0) + 2 * before[Columns::pairing]);
  const int64 last = is_timestamp ? token : before[Columns::last_timestamp];
  const int64 position = before[Columns::position] + 1;
  const int64 text_count = before[Columns::text_count] + (token < a.eot ? 1 : 0);
  for (int i = Columns::first_timestamp; i < Columns::n_numbers; ++i) own[i] = before[i];
  own[Columns::token] = token;
  own[Columns::position] = position < a.last_position ? position : a.last_position;
  own[Columns::last_timestamp] = last;
  own[Columns::timestamp_from] = last + next[3];
  own[Columns::text_count] = text_count;
  own[Columns::pairing] = next[0];
  own[Columns::text_from] = next[1];
  own[Columns::timestamp_to] = next[2];
  a.sum_logprobs[slot] = sum;
}

// Chooses for a row of a decode without beams. A row that has ended keeps its eot, and adds nothing
// to its sum.
KERNEL_BODY void choose_row(const ChoiceArguments& a, int row) {
  const int64 slot = a.slots[row];
  int64 before[ChoiceColumns::n_numbers];
  for (int i = 0; i < ChoiceColumns::n_numbers; ++i) {
    before[i] = a.numbers[slot * ChoiceColumns::n_numbers + i];
  }
  const bool ended = before[ChoiceColumns::token] == a.eot;
  RowTokens tokens(a, row);
  const int best = tokens.next();
  const int token = ended ? a.eot : best < 0 ? 0 : best;
  const float logprob = ended ? 0 : tokens.logprob(token);
  const float sum = a.sum_logprobs[slot] + logprob;
  a.said_tokens[row] = token;
  a.said_logprobs[row] = logprob;
  a.said_sums[row] = sum;
  if (slot != a.nobody) keep_token(a, slot, before, token, sum);
}

KERNEL_BODY float check_of(const ChoiceArguments& a, int row) {
  const int pieces = count_all_pieces(a);
  const float* const sums = a.sums + static_cast<int64>(row) * pieces * sums_of_a_piece;
  float check = 0;
  for (int i = 0; i < pieces; ++i) check += sums[i * sums_of_a_piece + 2];
  return check;
}

// Lists the continuations of one beam: so many that size of them remain if one ends.
KERNEL_BODY void list_candidates(const ChoiceArguments& a, int row, int size, Candidate* to) {
  RowTokens tokens(a, row);
  const float before = a.sum_logprobs[a.slots[row]];
  int token = 0;
  for (int rank = 0; rank <= size; ++rank) {
    if (token >= 0) token = tokens.next();
    to[rank] = {0, minus_infinity(), minus_infinity()};
    if (token < 0) continue;
    const float logprob = tokens.logprob(token);
    to[rank] = {token, logprob, before + logprob};
  }
}

// Takes the likeliest continuations until there are enough that do not end; the first of equal ones
// before the others. Candidates are beam after beam, size + 1 of each.
KERNEL_BODY void search_beams(const ChoiceArguments& a, SearchMemory& memory, int size) {
  const int count = size * (size + 1);
  int n_chosen = 0;
  int n_ended = 0;
  for (int i = 0; i < count; ++i) memory.taken[i] = 0;
  for (int i = 0; i < most_beams; ++i) memory.ended[i] = -1;
  while (n_chosen < size) {
    int best = -1;
    for (int i = 0; i < count; ++i) {
      if (memory.taken[i] != 0) continue;
      if (best < 0 || memory.candidates[i].sum > memory.candidates[best].sum) best = i;
    }
    memory.taken[best] = 1;
    if (memory.candidates[best].token != a.eot) {
      memory.chosen[n_chosen++] = best;
    } else if (n_ended < size) {
      memory.ended[n_ended++] = best;
    }
  }
}

KERNEL_BODY void choose_beams(const ChoiceArguments& a, const Block& block, int search,
                              SearchMemory& memory) {
  const int64 first_place = static_cast<int64>(search) * a.beam_size;
  const int64* const rows = a.search_rows + first_place;
  const int size = static_cast<int>(a.beam_sizes[search]);
  // Searches that are left over repeat the first.
  const bool is_left_over = search > 0 && rows[0] == a.search_rows[0];
  if (is_left_over) {
    block.each_thread([&](int thread) {
      if (thread < a.beam_size) a.to[first_place + thread] = -1;
    });
    return;
  }
  block.each_thread([&](int thread) {
    if (thread >= size) return;
    const int row = static_cast<int>(rows[thread]);
    for (int i = 0; i < ChoiceColumns::n_numbers; ++i) {
      memory.before[thread * ChoiceColumns::n_numbers + i] =
          a.numbers[a.slots[row] * ChoiceColumns::n_numbers + i];
    }
    list_candidates(a, row, size, memory.candidates + thread * (size + 1));
  });
  block.each_thread([&](int thread) {
    if (thread == 0) search_beams(a, memory, size);
  });
  block.each_thread([&](int thread) {
    if (thread >= a.beam_size) return;
    // Beams that this search has not repeat its first.
    const int beam = thread < size ? thread : 0;
    const int source = memory.chosen[beam] / (size + 1);
    const int64 place = first_place + thread;
    a.said_sources[place] = source;
    a.from[place] = a.slots[rows[source]];
    a.to[place] = a.slots[rows[beam]];
    const int ended = thread < size ? memory.ended[thread] : -1;
    a.said_ended[place] = ended < 0 ? -1 : ended / (size + 1);
    a.said_ended_sums[place] = ended < 0 ? 0 : memory.candidates[ended].sum;
    if (thread >= size) return;
    const Candidate& chosen = memory.candidates[memory.chosen[beam]];
    a.said_tokens[rows[beam]] = chosen.token;
    a.said_logprobs[rows[beam]] = chosen.logprob;
    a.said_sums[rows[beam]] = chosen.sum;
    keep_token(a, a.slots[rows[beam]], memory.before + source * ChoiceColumns::n_numbers,
               chosen.token, chosen.sum);
  });
}

// The grid is [rows + searches]; a row of a search is left to its search.
KERNEL_BODY void choice_join(const ChoiceArguments& a, const Block& block, void* shared) {
  auto& memory = *static_cast<SearchMemory*>(shared);
  if (block.x() >= a.rows) return choose_beams(a, block, block.x() - a.rows, memory);
  block.each_thread([&](int thread) {
    if (thread == 0) memory.flag = 0;
  });
  block.each_thread([&](int thread) {
    for (int i = thread; i < a.searches * a.beam_size; i += threads_of_a_block) {
      if (a.search_rows[i] == block.x()) memory.flag = 1;
    }
  });
  block.each_thread([&](int thread) {
    if (thread != 0) return;
    a.said_checks[block.x()] = check_of(a, block.x());
    if (memory.flag == 0) choose_row(a, block.x());
  });
}

}  // namespace
