#include "engine/whisper/device_choice/choice_batch.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace engine {
namespace {

int rounded_up(std::size_t count) {
  return static_cast<int>(std::bit_ceil(count));
}

std::size_t places(const ChoiceShape& shape) {
  return static_cast<std::size_t>(shape.searches) * static_cast<std::size_t>(shape.beam_size);
}

// Reads numbers that lie one after the other.
class Reader {
 public:
  explicit Reader(const at::Tensor& said) : next_(said.const_data_ptr<std::int32_t>()) {}

  std::span<const std::int32_t> take(std::size_t count) {
    const std::span<const std::int32_t> taken(next_, count);
    next_ += count;
    return taken;
  }

 private:
  const std::int32_t* next_;
};

}  // namespace

void ChoiceBatch::add(std::span<const int> slots, const ChoiceOptions& options) {
  Decode decode{static_cast<int>(slots_.size()), static_cast<int>(slots.size())};
  slots_.insert(slots_.end(), slots.begin(), slots.end());
  if (options.beam_search) {
    decode.search = static_cast<int>(searches_.size());
    searches_.push_back(decodes_.size());
    beam_size_ = std::max(beam_size_, decode.n_rows);
  }
  decodes_.push_back(decode);
  samples_ |= !options.beam_search && options.temperature > 0;
  history_ = std::max(history_, options.no_repeat_ngram_size);
  if (options.repetition_penalty != 1) history_ = std::max(history_, 1);
}

ChoiceShape ChoiceBatch::shape() const {
  return {rounded_up(slots_.size()), searches_.empty() ? 0 : rounded_up(searches_.size()),
          beam_size_, samples_, history_};
}

void ChoiceBatch::append_numbers(std::vector<std::int64_t>& numbers) const {
  const ChoiceShape own = shape();
  numbers.insert(numbers.end(), slots_.begin(), slots_.end());
  numbers.insert(numbers.end(), static_cast<std::size_t>(own.rows) - slots_.size(), nobody_);
  const auto search = [&](int place) {
    const auto index = static_cast<std::size_t>(place);
    return decodes_[searches_[index < searches_.size() ? index : 0]];
  };
  for (int place = 0; place < own.searches; ++place) {
    const Decode decode = search(place);
    for (int beam = 0; beam < own.beam_size; ++beam) {
      numbers.push_back(decode.first_row + (beam < decode.n_rows ? beam : 0));
    }
  }
  for (int place = 0; place < own.searches; ++place) numbers.push_back(search(place).n_rows);
}

std::int64_t ChoiceBatch::count_numbers(const ChoiceShape& shape) {
  return std::int64_t{shape.rows} + std::int64_t{shape.searches} * (shape.beam_size + 1);
}

// One search of half of the rows, beside as many of two rows as there is room for, has the most
// places; rounding up doubles them at most.
std::int64_t ChoiceBatch::most_numbers(int rows) {
  const std::int64_t n = rows;
  return 2 * n + (n / 2 + 2) * (n + 2);
}

std::vector<StepOutcome> ChoiceBatch::outcomes(const at::Tensor& said) const {
  const ChoiceShape own = shape();
  const auto n_rows = static_cast<std::size_t>(own.rows);
  Reader reader(said);
  const auto tokens = reader.take(n_rows);
  const auto logprobs = reader.take(n_rows);
  const auto sums = reader.take(n_rows);
  const auto checks = reader.take(n_rows);
  const auto sources = reader.take(places(own));
  const auto ended_sources = reader.take(places(own));
  const auto ended_sums = reader.take(places(own));
  const bool is_first = static_cast<std::size_t>(said.numel()) > 4 * n_rows + 3 * places(own);
  const auto no_speech_probs = reader.take(is_first ? decodes_.size() : 0);
  std::vector<StepOutcome> outcomes;
  for (const Decode& decode : decodes_) {
    StepOutcome& outcome = outcomes.emplace_back();
    for (int i = 0; i < decode.n_rows; ++i) {
      const auto row = static_cast<std::size_t>(decode.first_row + i);
      outcome.rows.push_back(
          {i, tokens[row], std::bit_cast<float>(logprobs[row]), std::bit_cast<float>(sums[row])});
      outcome.finite &= std::isfinite(std::bit_cast<float>(checks[row]));
    }
    if (is_first)
      outcome.no_speech_prob = std::bit_cast<float>(no_speech_probs[outcomes.size() - 1]);
    if (decode.search < 0) continue;
    for (int beam = 0; beam < decode.n_rows; ++beam) {
      const auto place = static_cast<std::size_t>(decode.search * own.beam_size + beam);
      outcome.rows[static_cast<std::size_t>(beam)].source = sources[place];
      if (ended_sources[place] < 0) continue;
      outcome.ended.push_back({ended_sources[place], std::bit_cast<float>(ended_sums[place])});
    }
  }
  return outcomes;
}

at::Tensor SaidChoice::packed() const {
  const auto bits = [](const at::Tensor& floats) { return floats.contiguous().view(at::kInt); };
  std::vector<at::Tensor> parts{tokens.to(at::kInt), bits(logprobs), bits(sum_logprobs),
                                bits(checks)};
  if (sources.defined()) {
    parts.insert(parts.end(), {sources.to(at::kInt), ended_sources.to(at::kInt), bits(ended_sums)});
  }
  if (no_speech_probs.defined()) parts.push_back(bits(no_speech_probs));
  return at::cat(parts);
}

}  // namespace engine
