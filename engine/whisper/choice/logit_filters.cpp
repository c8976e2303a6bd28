#include "engine/whisper/choice/logit_filters.h"

#include <limits>

#include "engine/whisper/choice/repetition.h"

namespace engine {
namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// Masks [begin, end) of one row.
void mask(at::Tensor& row, std::int64_t begin, std::int64_t end) {
  if (end > begin) row.narrow(0, begin, end - begin).fill_(minus_infinity);
}

}  // namespace

LogitFilters::LogitFilters(const ChoiceOptions& options, const SpecialTokens& specials)
    : repetition_penalty_(options.repetition_penalty),
      no_repeat_ngram_size_(options.no_repeat_ngram_size),
      blank_(options.blank),
      suppressed_(at::tensor(
          std::vector<std::int64_t>(options.suppress.begin(), options.suppress.end()), at::kLong)),
      timestamps_(options.timestamps),
      max_initial_timestamp_index_(options.max_initial_timestamp_index),
      eot_(specials.eot),
      no_timestamps_(specials.no_timestamps),
      timestamp_begin_(specials.timestamp_begin) {}

void LogitFilters::apply(at::Tensor& logits, std::span<const std::vector<int>> sampled) const {
  if (repetition_penalty_ != 1 || no_repeat_ngram_size_ > 0) {
    apply_repetition_rules(logits, sampled);
  }
  if (sampled[0].empty()) {
    for (const int token : blank_) logits.select(1, token).fill_(minus_infinity);
  }
  if (suppressed_.numel() > 0) logits.index_fill_(1, suppressed_, minus_infinity);
  if (timestamps_) apply_timestamp_rules(logits, sampled);
}

void LogitFilters::apply_repetition_rules(at::Tensor& logits,
                                          std::span<const std::vector<int>> sampled) const {
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    const at::Tensor values = logits.select(0, static_cast<std::int64_t>(i));
    const std::span row(values.data_ptr<float>(), static_cast<std::size_t>(values.numel()));
    const std::vector<int> text = text_tokens(sampled[i], eot_);
    if (repetition_penalty_ != 1) penalize_repetition(row, text, repetition_penalty_);
    if (no_repeat_ngram_size_ > 0) forbid_repeated_ngrams(row, text, no_repeat_ngram_size_);
  }
}

void LogitFilters::apply_timestamp_rules(at::Tensor& logits,
                                         std::span<const std::vector<int>> sampled) const {
  // The initial tokens decide whether there are timestamps at all.
  logits.select(1, no_timestamps_).fill_(minus_infinity);
  for (std::size_t row = 0; row < sampled.size(); ++row) {
    mask_unpaired(logits.select(0, static_cast<std::int64_t>(row)), sampled[row]);
  }
  if (sampled[0].empty()) {
    logits.narrow(1, 0, timestamp_begin_).fill_(minus_infinity);
    if (max_initial_timestamp_index_) {
      const std::int64_t first = timestamp_begin_ + *max_initial_timestamp_index_ + 1;
      if (first < logits.size(1)) {
        logits.narrow(1, first, logits.size(1) - first).fill_(minus_infinity);
      }
    }
  }
  prefer_likely_timestamps(logits);
}

// Timestamps come in pairs, except directly before eot, and never go back.
void LogitFilters::mask_unpaired(at::Tensor row, std::span<const int> sampled) const {
  const std::size_t n = sampled.size();
  const bool last_was_timestamp = n >= 1 && sampled[n - 1] >= timestamp_begin_;
  const bool penultimate_was_timestamp = n < 2 || sampled[n - 2] >= timestamp_begin_;
  if (last_was_timestamp && penultimate_was_timestamp) mask(row, timestamp_begin_, row.size(0));
  if (last_was_timestamp && !penultimate_was_timestamp) mask(row, 0, eot_);

  for (std::size_t i = n; i-- > 0;) {
    if (sampled[i] < timestamp_begin_) continue;
    // A pair may open where the last one closed; otherwise a segment has a length, which keeps the
    // decoder from looping.
    const bool opens_pair = last_was_timestamp && !penultimate_was_timestamp;
    mask(row, timestamp_begin_, sampled[i] + (opens_pair ? 0 : 1));
    break;
  }
}

// Where all timestamps together are likelier than any text token, one of them is sampled.
void LogitFilters::prefer_likely_timestamps(at::Tensor& logits) const {
  // Logits are compared and not their log_softmax, which takes the same from both sides.
  const at::Tensor text = logits.narrow(1, 0, timestamp_begin_);
  const at::Tensor timestamps =
      logits.narrow(1, timestamp_begin_, logits.size(1) - timestamp_begin_);
  const at::Tensor likely = at::logsumexp(timestamps, 1) > std::get<0>(text.max(1));
  const bool* row_is_likely = likely.const_data_ptr<bool>();
  for (std::int64_t row = 0; row < logits.size(0); ++row) {
    if (row_is_likely[row])
      logits.select(0, row).narrow(0, 0, timestamp_begin_).fill_(minus_infinity);
  }
}

}  // namespace engine
