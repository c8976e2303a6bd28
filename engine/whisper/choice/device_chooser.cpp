#include "engine/whisper/choice/device_chooser.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "engine/torch/upload.h"
#include "engine/whisper/choice/device_search.h"
#include "engine/whisper/choice/history_rules.h"
#include "engine/whisper/choice/random_noise.h"

namespace engine {
namespace {

constexpr float never_chosen = -std::numeric_limits<float>::infinity();

std::vector<std::int64_t> to_numbers(std::span<const int> values) {
  return {values.begin(), values.end()};
}

}  // namespace

struct DeviceChooser::Rows {
  at::Tensor slots;    // [rows]
  at::Tensor numbers;  // [n_numbers, rows]
  at::Tensor reals;    // [n_reals, rows]
  at::Tensor sums;     // [rows]
  at::Tensor texts;    // [rows, n_text_ctx] where a rule needs them

  at::Tensor column(Number which) const { return numbers[which].unsqueeze(1); }
};

DeviceChooser::DeviceChooser(const SpecialTokens& specials, int slots, int n_text_ctx,
                             const at::Device& device)
    : specials_(specials), nobody_(slots) {
  const auto zeros = [&](at::IntArrayRef sizes, at::ScalarType type) {
    return at::zeros(sizes, at::TensorOptions(device).dtype(type));
  };
  const std::int64_t n = slots + 1;
  numbers_ = zeros({n_numbers, n}, at::kLong);
  reals_ = zeros({n_reals, n}, at::kDouble);
  sums_ = zeros({n}, at::kFloat);
  forbidden_ = zeros({n, specials.n_vocab}, at::kBool);
  texts_ = zeros({n, n_text_ctx}, at::kLong);
}

void DeviceChooser::begin(std::span<const int> slots, const ChoiceOptions& options,
                          int prompt_length) {
  const bool timestamps = options.timestamps;
  const int n_vocab = specials_.n_vocab;
  const int first_text = timestamps ? specials_.timestamp_begin : 0;
  const int end = timestamps && options.max_initial_timestamp_index
                      ? specials_.timestamp_begin + *options.max_initial_timestamp_index + 1
                      : n_vocab;
  // As if a timestamp that is not there came first: what follows the first one is text.
  std::vector<std::int64_t> by_number;
  const auto for_all = [&](std::int64_t value) {
    by_number.insert(by_number.end(), slots.size(), value);
  };
  for_all(0);                  // token
  for_all(prompt_length - 1);  // position, of the last token that was read
  for_all(1);                  // last_was_timestamp
  for_all(specials_.timestamp_begin - 1);
  for_all(first_text);
  for_all(specials_.timestamp_begin);
  for_all(std::min(end, n_vocab));
  for_all(0);  // text_count
  for_all(timestamps);
  std::vector<std::int64_t> other_keys;
  for (int row = 0; row < std::ssize(slots); ++row) {
    const auto [key, other] = noise_keys(options.seed, row);
    by_number.push_back(key);
    other_keys.push_back(other);
  }
  by_number.insert(by_number.end(), other_keys.begin(), other_keys.end());
  for_all(options.no_repeat_ngram_size);

  const at::Tensor places = upload(to_numbers(slots), numbers_.device());
  numbers_.index_copy_(1, places,
                       upload(by_number, numbers_.device()).view({n_numbers, std::ssize(slots)}));
  reals_[temperature].index_fill_(0, places, options.temperature);
  reals_[penalty].index_fill_(0, places, options.repetition_penalty);
  sums_.index_fill_(0, places, 0);
  forbidden_.index_fill_(0, places, 0);
  std::vector<int> never = options.suppress;
  if (timestamps) never.push_back(specials_.no_timestamps);
  never.insert(never.end(), options.blank.begin(), options.blank.end());
  forbid(slots, never, true);
}

void DeviceChooser::allow_blanks(std::span<const int> slots, const ChoiceOptions& options) {
  std::vector<int> allowed;
  for (const int blank : options.blank) {
    if (std::ranges::find(options.suppress, blank) == options.suppress.end()) {
      allowed.push_back(blank);
    }
  }
  forbid(slots, allowed, false);
}

void DeviceChooser::forbid(std::span<const int> slots, std::span<const int> tokens,
                           bool forbidden) {
  std::vector<std::int64_t> bits;
  for (const std::int64_t slot : slots) {
    for (const int id : tokens) {
      TORCH_CHECK_INDEX(id >= 0 && id < specials_.n_vocab, "no such token: ", id);
      bits.push_back(slot * specials_.n_vocab + id);
    }
  }
  if (!bits.empty()) {
    forbidden_.view(-1).index_fill_(0, upload(bits, forbidden_.device()), forbidden);
  }
}

DeviceChoice DeviceChooser::choose(const at::Tensor& logits, const ChoiceShape& shape,
                                   const at::Tensor& numbers, const at::Tensor& after_sot) {
  const std::int64_t n_beams = std::int64_t{shape.searches} * shape.beam_size;
  const auto parts = numbers.split_with_sizes({shape.rows, n_beams, shape.searches});
  const at::Tensor& slots = parts[0];
  Rows rows{slots,
            numbers_.index_select(1, slots),
            reals_.index_select(1, slots),
            sums_.index_select(0, slots),
            {}};
  if (shape.history > 0) rows.texts = texts_.index_select(0, slots);

  const at::Tensor allowed = masked(logits, shape, rows);
  const at::Tensor logprobs = at::log_softmax(allowed, -1);
  // A row that has ended keeps its eot, so that all rows of a decode stay equally long.
  const at::Tensor ended = rows.numbers[token] == specials_.eot;
  SaidChoice said;
  said.finite = logits.sum(-1).isfinite();
  said.tokens = likeliest(allowed, shape, rows).masked_fill_(ended, specials_.eot);
  said.logprobs = logprobs.gather(1, said.tokens.unsqueeze(1)).squeeze(1).masked_fill_(ended, 0);
  said.sum_logprobs = rows.sums + said.logprobs;
  if (after_sot.defined()) {
    said.no_speech_probs = at::softmax(after_sot, -1).select(1, specials_.no_speech);
  }
  if (shape.searches == 0) {
    keep(rows, /*sources=*/{}, said.tokens, said.sum_logprobs, shape);
    return {said.packed(), {}, {}};
  }
  const at::Tensor& beam_rows = parts[1];
  const Beams beams{beam_rows.view({shape.searches, shape.beam_size}), parts[2], rows.sums,
                    after_sot.defined()};
  const at::Tensor sources = search(logprobs, beams, said);
  keep(rows, sources, said.tokens, said.sum_logprobs, shape);
  return {said.packed(), slots.index_select(0, sources.index_select(0, beam_rows)),
          slots.index_select(0, beam_rows)};
}

at::Tensor DeviceChooser::search(const at::Tensor& logprobs, const Beams& beams,
                                 SaidChoice& said) const {
  const BeamChoice found = search_beams(logprobs, beams, specials_.eot);
  const at::Tensor rows = beams.rows.reshape(-1);
  const auto take = [&](const at::Tensor& to, const at::Tensor& of_beams) {
    to.index_copy_(0, rows, of_beams.reshape(-1));
  };
  const at::Tensor sources = at::arange(logprobs.size(0), rows.options());
  take(sources, beams.rows.gather(1, found.sources));
  take(said.tokens, found.tokens);
  take(said.logprobs, found.logprobs);
  take(said.sum_logprobs, found.sum_logprobs);
  said.sources = found.sources.reshape(-1);
  said.ended_sources = found.ended_sources.reshape(-1);
  said.ended_sums = found.ended_sums.reshape(-1);
  return sources;
}

at::Tensor DeviceChooser::masked(const at::Tensor& logits, const ChoiceShape& shape,
                                 const Rows& rows) const {
  const std::int64_t n_text = specials_.timestamp_begin;
  const std::int64_t n_timestamps = specials_.n_vocab - n_text;
  at::Tensor values = logits;
  at::Tensor forbidden = forbidden_.index_select(0, rows.slots);
  if (shape.history > 0) {
    const TextHistory history{rows.texts, rows.numbers[text_count], rows.reals[penalty],
                              rows.numbers[ngram_size], shape.history};
    values = penalize_repetition(values, history);
    forbidden.bitwise_or_(repeated_ngrams(history, specials_.n_vocab));
  }
  const at::Tensor ids = at::arange(specials_.n_vocab, rows.slots.options()).unsqueeze(0);
  const at::Tensor text_ids = ids.narrow(1, 0, n_text);
  const at::Tensor timestamp_ids = ids.narrow(1, n_text, n_timestamps);
  forbidden.narrow(1, 0, n_text).bitwise_or_(text_ids < rows.column(text_from));
  forbidden.narrow(1, n_text, n_timestamps)
      .bitwise_or_((timestamp_ids < rows.column(timestamp_from)) |
                   (timestamp_ids >= rows.column(timestamp_to)));
  at::Tensor result = values.masked_fill(forbidden, never_chosen);
  // Where all timestamps together are likelier than any text token, one of them is sampled.
  at::Tensor text = result.narrow(1, 0, n_text);
  const at::Tensor of_timestamps =
      at::logsumexp(result.narrow(1, n_text, n_timestamps), 1, /*keepdim=*/true);
  const at::Tensor likely =
      (of_timestamps > text.amax(1, /*keepdim=*/true)) & rows.column(has_timestamps).to(at::kBool);
  text.masked_fill_(likely, never_chosen);
  return result;
}

at::Tensor DeviceChooser::likeliest(const at::Tensor& masked, const ChoiceShape& shape,
                                    const Rows& rows) const {
  if (!shape.samples) return masked.argmax(-1);
  const at::Tensor noise =
      gumbel_noise(rows.numbers.narrow(0, noise_key, 2), rows.numbers[position], specials_.n_vocab);
  const at::Tensor heat = rows.reals[temperature].to(at::kFloat).unsqueeze(1);
  return at::where(heat > 0, masked / heat + noise, masked).argmax(-1);
}

// The rules on timestamps, as LogitFilters::mask_unpaired has them, for the next choice.
void DeviceChooser::keep(const Rows& rows, const at::Tensor& sources, const at::Tensor& tokens,
                         const at::Tensor& sums, const ChoiceShape& shape) {
  at::Tensor numbers = sources.defined() ? rows.numbers.index_select(1, sources) : rows.numbers;
  const at::Tensor is_timestamp =
      (tokens >= specials_.timestamp_begin) & numbers[has_timestamps].to(at::kBool);
  const at::Tensor penultimate = numbers[last_was_timestamp].to(at::kBool);
  const at::Tensor may_open = (is_timestamp & penultimate.logical_not()).to(at::kLong);
  const at::Tensor last = at::where(is_timestamp, tokens, numbers[last_timestamp]);
  const at::Tensor none = at::full_like(tokens, specials_.timestamp_begin);
  const at::Tensor all = at::full_like(tokens, specials_.n_vocab);
  const at::Tensor is_text = (tokens < specials_.eot).to(at::kLong);
  const std::int64_t last_position = texts_.size(1) - 1;
  if (shape.history > 0) {
    at::Tensor texts = sources.defined() ? rows.texts.index_select(0, sources) : rows.texts;
    texts.scatter_(1, numbers[text_count].clamp_max(last_position).unsqueeze(1),
                   tokens.unsqueeze(1));
    texts_.index_copy_(0, rows.slots, texts);
  }
  const at::Tensor changed =
      at::stack({tokens, (numbers[position] + 1).clamp_max(last_position),
                 is_timestamp.to(at::kLong), last, may_open * specials_.eot, last + 1 - may_open,
                 at::where(is_timestamp & penultimate, none, all), numbers[text_count] + is_text});
  const at::Tensor stays = numbers.narrow(0, has_timestamps, n_numbers - has_timestamps);
  numbers_.index_copy_(1, rows.slots, at::cat({changed, stays}));
  sums_.index_copy_(0, rows.slots, sums);
}

}  // namespace engine
