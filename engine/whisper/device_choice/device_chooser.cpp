#include "engine/whisper/device_choice/device_chooser.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "engine/torch/upload.h"
#include "engine/whisper/choice/noise_keys.h"
#include "engine/whisper/device_choice/device_search.h"
#include "engine/whisper/device_choice/history_rules.h"
#include "engine/whisper/device_choice/random_noise.h"

namespace engine {
namespace {

constexpr float never_chosen = -std::numeric_limits<float>::infinity();

// How a row's last tokens stand: the values of its pairing.
constexpr std::int64_t no_timestamp = 0;      // the last one is no timestamp
constexpr std::int64_t single_timestamp = 1;  // it is one, and that before it is not
constexpr std::int64_t pair_of_timestamps = 2;

// Returns where `text_from` begins for a row that may take special tokens and no text. In published
// models it is the id of eot, behind all text.
std::int64_t level_of_specials(const SpecialTokens& specials) {
  return std::max(std::min(specials.eot, specials.timestamp_begin - 1), 1);
}

// Returns for each token from which `text_from` on a row cannot take it: text first, then what is
// special. Timestamps have rules of their own.
std::vector<std::int64_t> levels_of(const SpecialTokens& specials) {
  std::vector<std::int64_t> levels;
  for (int id = 0; id < specials.n_vocab; ++id) {
    levels.push_back(specials.is_text(id) ? 0 : level_of_specials(specials));
  }
  return levels;
}

}  // namespace

struct DeviceChooser::Rows {
  at::Tensor slots;    // [rows]
  at::Tensor numbers;  // [rows, n_numbers]
  at::Tensor sums;     // [rows]
  at::Tensor reals;    // [rows, n_reals] where a rule or samples need them
  at::Tensor texts;    // [rows, n_text_ctx] where a rule needs them

  at::Tensor of(Number which) const { return column(numbers, which); }
  at::Tensor bound(Number which) const { return of(which).unsqueeze(1); }
};

DeviceChooser::DeviceChooser(const SpecialTokens& specials, int slots, int n_text_ctx,
                             const at::Device& device)
    : specials_(specials), nobody_(slots) {
  const auto zeros = [&](at::IntArrayRef sizes, at::ScalarType type) {
    return at::zeros(sizes, at::TensorOptions(device).dtype(type));
  };
  const std::int64_t n = slots + 1;
  numbers_ = zeros({n, n_numbers}, at::kLong);
  reals_ = zeros({n, n_reals}, at::kDouble);
  sums_ = zeros({n}, at::kFloat);
  forbidden_ = zeros({n, specials.n_vocab}, at::kBool);
  texts_ = zeros({n, n_text_ctx}, at::kLong);
  timestamps_ = at::arange(specials.timestamp_begin, specials.timestamp_end(), numbers_.options())
                    .unsqueeze(0);
  levels_ = upload(levels_of(specials), device).unsqueeze(0);
  // Timestamps come in pairs, except directly before eot, and never go back; see
  // LogitFilters::mask_unpaired.
  const std::int64_t eot = level_of_specials(specials);
  const std::int64_t begin = specials.timestamp_begin;
  const std::int64_t end = specials.timestamp_end();
  const std::vector<std::int64_t> text{no_timestamp, 0, end, 1};
  const std::vector<std::int64_t> closing{single_timestamp, eot, end, 0};
  const std::vector<std::int64_t> opening{pair_of_timestamps, 0, begin, 1};
  std::vector<std::int64_t> table;
  for (const auto* row : {&text, &closing, &text, &opening, &text, &opening}) {
    table.insert(table.end(), row->begin(), row->end());
  }
  pairings_ = upload(table, device).view({6, 4});
}

std::array<std::int64_t, DeviceChooser::n_numbers> DeviceChooser::first_numbers(
    const BegunDecode& decode, int row) const {
  const ChoiceOptions& options = decode.options;
  const int begin = specials_.timestamp_begin;
  const int n_vocab = specials_.n_vocab;
  const int last = specials_.timestamp_end();
  const int end = options.timestamps && options.max_initial_timestamp_index
                      ? std::min(begin + *options.max_initial_timestamp_index + 1, last)
                      : last;
  const auto [key, other] = noise_keys(options.seed, row);
  std::array<std::int64_t, n_numbers> numbers{};
  numbers[position] = decode.prompt_length - 1;  // of the last token that was read
  numbers[last_timestamp] = begin - 1;
  numbers[timestamp_from] = begin;
  numbers[pairing] = pair_of_timestamps;  // so that text follows the first timestamp
  numbers[text_from] = options.timestamps ? begin : 0;
  numbers[timestamp_to] = end;
  numbers[first_timestamp] = options.timestamps ? begin : n_vocab;
  numbers[noise_key] = key;
  numbers[other_noise_key] = other;
  numbers[ngram_size] = options.no_repeat_ngram_size;
  return numbers;
}

// One upload brings all rows: the numbers of each, and behind them the bits of its reals.
void DeviceChooser::begin(std::span<const BegunDecode> decodes) {
  std::vector<std::int64_t> slots, rows, bits;
  for (const BegunDecode& decode : decodes) {
    const ChoiceOptions& options = decode.options;
    std::array<double, n_reals> reals{};
    reals[temperature] = options.temperature;
    reals[penalty] = options.repetition_penalty;
    for (int row = 0; row < std::ssize(decode.slots); ++row) {
      const auto numbers = first_numbers(decode, row);
      rows.insert(rows.end(), numbers.begin(), numbers.end());
      for (const double real : reals) rows.push_back(std::bit_cast<std::int64_t>(real));
    }
    slots.insert(slots.end(), decode.slots.begin(), decode.slots.end());
    append_bits(decode.slots, options.suppress, bits);
    append_bits(decode.slots, options.blank, bits);
    if (options.timestamps) append_bits(decode.slots, std::array{specials_.no_timestamps}, bits);
  }
  const at::Device device = numbers_.device();
  const at::Tensor places = upload(slots, device);
  const at::Tensor begun = upload(rows, device).view({std::ssize(slots), -1});
  numbers_.index_copy_(0, places, begun.narrow(1, 0, n_numbers));
  reals_.index_copy_(0, places, begun.narrow(1, n_numbers, n_reals).view(at::kDouble));
  sums_.index_fill_(0, places, 0);
  forbidden_.index_fill_(0, places, 0);
  forbid(bits, true);
}

void DeviceChooser::allow_blanks(std::span<const BegunDecode> decodes) {
  std::vector<std::int64_t> bits;
  for (const auto& [slots, options, length] : decodes) {
    for (const int blank : options.blank) {
      if (std::ranges::find(options.suppress, blank) != options.suppress.end()) continue;
      append_bits(slots, std::array{blank}, bits);
    }
  }
  forbid(bits, false);
}

void DeviceChooser::append_bits(std::span<const int> slots, std::span<const int> tokens,
                                std::vector<std::int64_t>& bits) const {
  for (const std::int64_t slot : slots) {
    for (const int id : tokens) {
      TORCH_CHECK_INDEX(id >= 0 && id < specials_.n_vocab, "no such token: ", id);
      bits.push_back(slot * specials_.n_vocab + id);
    }
  }
}

void DeviceChooser::forbid(std::span<const std::int64_t> bits, bool forbidden) {
  if (bits.empty()) return;
  forbidden_.view(-1).index_fill_(0, upload(bits, forbidden_.device()), forbidden);
}

DeviceChoice DeviceChooser::choose(const at::Tensor& logits, const ChoiceShape& shape,
                                   const at::Tensor& numbers, const at::Tensor& after_sot) {
  const std::int64_t n_beams = std::int64_t{shape.searches} * shape.beam_size;
  const auto parts = numbers.split_with_sizes({shape.rows, n_beams, shape.searches});
  const at::Tensor& slots = parts[0];
  Rows rows{slots, numbers_.index_select(0, slots), sums_.index_select(0, slots), {}, {}};
  if (shape.history > 0 || shape.samples) rows.reals = reals_.index_select(0, slots);
  if (shape.history > 0) rows.texts = texts_.index_select(0, slots);

  const at::Tensor allowed = masked(logits, shape, rows);
  const at::Tensor logprobs = at::log_softmax(allowed, -1);
  // A row that has ended keeps its eot, so that all rows of a decode stay equally long.
  const at::Tensor ended = rows.of(token) == specials_.eot;
  SaidChoice said;
  said.checks = logits.sum(-1);
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
  const std::int64_t begin = specials_.timestamp_begin;
  const std::int64_t end = specials_.timestamp_end();
  const std::int64_t n_behind = specials_.n_vocab - end;
  at::Tensor values = logits;
  at::Tensor forbidden = forbidden_.index_select(0, rows.slots);
  if (shape.history > 0) {
    const TextHistory history{rows.texts, rows.of(text_count), column(rows.reals, penalty),
                              rows.of(ngram_size), shape.history};
    values = penalize_repetition(values, history);
    forbidden.bitwise_or_(repeated_ngrams(history, specials_.n_vocab));
  }
  const auto forbid_text = [&](std::int64_t first, std::int64_t count) {
    forbidden.narrow(1, first, count)
        .bitwise_or_(levels_.narrow(1, first, count) < rows.bound(text_from));
  };
  forbid_text(0, begin);
  if (n_behind > 0) forbid_text(end, n_behind);
  forbidden.narrow(1, begin, n_timestamps)
      .bitwise_or_((timestamps_ < rows.bound(timestamp_from)) |
                   (timestamps_ >= rows.bound(timestamp_to)));
  at::Tensor result = values.masked_fill(forbidden, never_chosen);
  // Where all timestamps together are likelier than any text token, one of them is sampled. Where
  // none is allowed their sum is NaN, which is not likelier.
  at::Tensor text = result.narrow(1, 0, begin);
  at::Tensor behind = result.narrow(1, end, n_behind);
  const at::Tensor timestamps = result.narrow(1, begin, n_timestamps);
  const at::Tensor highest = timestamps.amax(1, /*keepdim=*/true);
  const at::Tensor together =
      (timestamps - highest).exp_().sum(1, /*keepdim=*/true).log_().add_(highest);
  at::Tensor likeliest_other = text.amax(1, /*keepdim=*/true);
  if (n_behind > 0) {
    likeliest_other = at::maximum(likeliest_other, behind.amax(1, /*keepdim=*/true));
  }
  const at::Tensor likely =
      (together > likeliest_other).bitwise_and_(rows.bound(first_timestamp) < specials_.n_vocab);
  text.masked_fill_(likely, never_chosen);
  if (n_behind > 0) behind.masked_fill_(likely, never_chosen);
  return result;
}

at::Tensor DeviceChooser::likeliest(const at::Tensor& masked, const ChoiceShape& shape,
                                    const Rows& rows) const {
  if (!shape.samples) return masked.argmax(-1);
  const at::Tensor noise =
      gumbel_noise(rows.numbers.narrow(1, noise_key, 2).t(), rows.of(position), specials_.n_vocab);
  const at::Tensor heat = column(rows.reals, temperature).to(at::kFloat).unsqueeze(1);
  return at::where(heat > 0, masked / heat + noise, masked).argmax(-1);
}

void DeviceChooser::keep(Rows rows, const at::Tensor& sources, const at::Tensor& tokens,
                         const at::Tensor& sums, const ChoiceShape& shape) {
  if (sources.defined()) rows.numbers = rows.numbers.index_select(0, sources);
  const std::int64_t last_position = texts_.size(1) - 1;
  if (shape.history > 0) {
    at::Tensor texts = sources.defined() ? rows.texts.index_select(0, sources) : rows.texts;
    const at::Tensor place = rows.bound(text_count).clamp_max(last_position);
    texts_.index_copy_(0, rows.slots, texts.scatter_(1, place, tokens.unsqueeze(1)));
  }
  at::Tensor is_timestamp = tokens >= rows.of(first_timestamp);
  if (specials_.n_vocab > specials_.timestamp_end()) {
    is_timestamp.bitwise_and_(tokens < specials_.timestamp_end());
  }
  const at::Tensor next = pairings_.index_select(0, is_timestamp.add(rows.of(pairing), 2));
  const at::Tensor last = at::where(is_timestamp, tokens, rows.of(last_timestamp));
  // In published models all text lies before eot, which takes one operation less to see.
  const at::Tensor is_text = specials_.is_in_published_order()
                                 ? tokens < specials_.eot
                                 : levels_[0].index_select(0, tokens) == 0;
  const at::Tensor changed =
      at::stack({tokens, (rows.of(position) + 1).clamp_max_(last_position), last,
                 last + column(next, 3), rows.of(text_count) + is_text},
                1);
  const at::Tensor stays = rows.numbers.narrow(1, first_timestamp, n_numbers - first_timestamp);
  numbers_.index_copy_(0, rows.slots, at::cat({changed, next.narrow(1, 0, 3), stays}, 1));
  sums_.index_copy_(0, rows.slots, sums);
}

}  // namespace engine
