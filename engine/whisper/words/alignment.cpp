#include "engine/whisper/words/alignment.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "engine/whisper/text/word_split.h"
#include "engine/whisper/words/dtw.h"

namespace engine {
namespace {

constexpr double positions_per_second = 50;
constexpr std::int64_t frames_per_position = 2;

// What the attention says of each row, in positions.
struct RowPositions {
  std::vector<int> first;     // where the way through the attention comes to it
  std::vector<int> attended;  // where its costs are least
};

// A window too short for a single position has nothing but its start.
RowPositions row_positions(const AlignmentInput& input, int rows) {
  const auto used = static_cast<int>(
      std::clamp<std::int64_t>(input.frames / frames_per_position, 0, input.attention.positions));
  const std::vector<float> costs = alignment_costs(input.attention, input.first_row, rows, used);
  const auto n = static_cast<std::size_t>(rows);
  RowPositions positions{std::vector<int>(n), std::vector<int>(n)};
  int last_row = -1;
  for (const PathStep& step : dtw(costs, rows, used)) {
    if (step.row == last_row) continue;
    last_row = step.row;
    positions.first[static_cast<std::size_t>(step.row)] = step.column;
  }
  for (std::size_t row = 0; used > 0 && row < n; ++row) {
    const auto begin = costs.begin() + static_cast<std::ptrdiff_t>(row) * used;
    positions.attended[row] = static_cast<int>(std::min_element(begin, begin + used) - begin);
  }
  return positions;
}

double mean(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::vector<AlignedWord> align_words(const Tokenizer& tokenizer, std::string_view language,
                                     const AlignmentInput& input) {
  const std::size_t n = input.text_tokens.size();
  if (input.token_probabilities.size() != n) {
    throw std::invalid_argument("[alignment] not one probability for each text token");
  }
  if (n == 0) return {};

  // Without end-of-text, the last word would take in what is left of an unfinished character.
  std::vector<int> tokens(input.text_tokens.begin(), input.text_tokens.end());
  tokens.push_back(tokenizer.eot());
  std::vector<TokenWord> parts = split_to_word_tokens(tokenizer, tokens, language);
  if (parts.size() <= 1) return {};
  parts.pop_back();

  const RowPositions positions = row_positions(input, static_cast<int>(n) + 1);
  const auto seconds = [&](std::size_t row) { return positions.first[row] / positions_per_second; };
  std::vector<AlignedWord> words;
  words.reserve(parts.size());
  std::size_t begin = 0;
  for (TokenWord& part : parts) {
    const std::size_t end = begin + part.tokens.size();
    const double probability = mean(input.token_probabilities.subspan(begin, end - begin));
    const auto attended = std::span(positions.attended).subspan(begin, end - begin);
    words.push_back({{seconds(begin), seconds(end), std::move(part.word), probability},
                     std::move(part.tokens),
                     std::min(std::ranges::max(attended), positions.first[end])});
    begin = end;
  }
  return words;
}

}  // namespace engine
