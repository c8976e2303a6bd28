#include "engine/whisper/choice/logit_filters.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "engine/whisper/choice/repetition.h"

namespace engine {
namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

void mask(std::span<float> row, int token) {
  row[static_cast<std::size_t>(token)] = minus_infinity;
}

// Masks [begin, end).
void mask(std::span<float> row, int begin, int end) {
  if (end > begin) std::fill(row.begin() + begin, row.begin() + end, minus_infinity);
}

}  // namespace

LogitFilters::LogitFilters(const ChoiceOptions& options, const SpecialTokens& specials)
    : repetition_penalty_(options.repetition_penalty),
      no_repeat_ngram_size_(options.no_repeat_ngram_size),
      blank_(options.blank),
      suppressed_(options.suppress),
      timestamps_(options.timestamps),
      max_initial_timestamp_index_(options.max_initial_timestamp_index),
      specials_(specials) {}

void LogitFilters::apply(const LogitRows& logits, std::span<const std::vector<int>> sampled) const {
  for (int row = 0; row < logits.n_rows; ++row) {
    apply_to_row(logits[row], sampled[static_cast<std::size_t>(row)]);
  }
}

void LogitFilters::apply_to_row(Row row, const std::vector<int>& sampled) const {
  apply_repetition_rules(row, sampled);
  if (sampled.empty()) {
    for (const int token : blank_) mask(row, token);
  }
  for (const int token : suppressed_) mask(row, token);
  if (timestamps_) apply_timestamp_rules(row, sampled);
}

void LogitFilters::apply_repetition_rules(Row row, std::span<const int> sampled) const {
  if (repetition_penalty_ == 1 && no_repeat_ngram_size_ == 0) return;
  const std::vector<int> text = text_tokens(sampled, specials_);
  if (repetition_penalty_ != 1) penalize_repetition(row, text, repetition_penalty_);
  if (no_repeat_ngram_size_ > 0) forbid_repeated_ngrams(row, text, no_repeat_ngram_size_);
}

void LogitFilters::apply_timestamp_rules(Row row, std::span<const int> sampled) const {
  // The initial tokens decide whether there are timestamps at all.
  mask(row, specials_.no_timestamps);
  mask_unpaired(row, sampled);
  if (sampled.empty()) {
    mask_all_but_timestamps(row);
    if (max_initial_timestamp_index_) {
      mask(row, specials_.timestamp_begin + *max_initial_timestamp_index_ + 1,
           specials_.timestamp_end());
    }
  }
  prefer_likely_timestamps(row);
}

// Timestamps come in pairs, except directly before eot, and never go back.
void LogitFilters::mask_unpaired(Row row, std::span<const int> sampled) const {
  const std::size_t n = sampled.size();
  const int begin = specials_.timestamp_begin;
  const bool last_was_timestamp = n >= 1 && specials_.is_timestamp(sampled[n - 1]);
  const bool penultimate_was_timestamp = n < 2 || specials_.is_timestamp(sampled[n - 2]);
  if (last_was_timestamp && penultimate_was_timestamp) mask(row, begin, specials_.timestamp_end());
  if (last_was_timestamp && !penultimate_was_timestamp) {
    for (const IdRange& text : specials_.text) mask(row, text.begin, text.end);
  }

  for (std::size_t i = n; i-- > 0;) {
    if (!specials_.is_timestamp(sampled[i])) continue;
    // A pair may open where the last one closed; otherwise a segment has a length, which keeps the
    // decoder from looping.
    const bool opens_pair = last_was_timestamp && !penultimate_was_timestamp;
    mask(row, begin, sampled[i] + (opens_pair ? 0 : 1));
    break;
  }
}

// Where all timestamps together are likelier than any text token, one of them is sampled.
void LogitFilters::prefer_likely_timestamps(Row row) const {
  // Logits are compared and not their log_softmax, which takes the same from both sides.
  const auto before = row.first(static_cast<std::size_t>(specials_.timestamp_begin));
  const auto timestamps = row.subspan(before.size(), std::size_t{n_timestamps});
  const auto behind = row.subspan(before.size() + timestamps.size());
  const float likeliest_other = std::max(largest(before), largest(behind));
  if (log_softmax(timestamps).log_sum_exp() > likeliest_other) mask_all_but_timestamps(row);
}

void LogitFilters::mask_all_but_timestamps(Row row) const {
  mask(row, 0, specials_.timestamp_begin);
  mask(row, specials_.timestamp_end(), static_cast<int>(row.size()));
}

}  // namespace engine
