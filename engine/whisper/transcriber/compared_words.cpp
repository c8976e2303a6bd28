#include "engine/whisper/transcriber/compared_words.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/whisper/text/utf8.h"

namespace engine {
namespace {

// Thai, Lao, Burmese, Khmer, and from Chinese and Japanese on.
bool has_no_spaces(char32_t letter) {
  return (letter >= 0x0E00 && letter <= 0x0EFF) || (letter >= 0x1000 && letter <= 0x109F) ||
         (letter >= 0x1780 && letter <= 0x17FF) || letter >= 0x2E80;
}

bool is_ascii_sign(char32_t letter) {
  const bool is_word = (letter >= U'0' && letter <= U'9') || (letter >= U'a' && letter <= U'z');
  return letter < 128 && !is_word;
}

}  // namespace

std::vector<std::u32string> compared_words(std::string_view valid_utf8) {
  std::vector<std::u32string> words;
  std::u32string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (char32_t letter : to_code_points(valid_utf8)) {
    if (letter >= U'A' && letter <= U'Z') letter += U'a' - U'A';
    if (letter == U' ' || has_no_spaces(letter)) end_word();
    if (has_no_spaces(letter)) {
      words.emplace_back(1, letter);
    } else if (!is_ascii_sign(letter)) {
      word += letter;
    }
  }
  end_word();
  return words;
}

std::size_t different_words(const std::vector<std::u32string>& one,
                            const std::vector<std::u32string>& other) {
  std::vector<std::size_t> costs(other.size() + 1);
  std::iota(costs.begin(), costs.end(), std::size_t{0});
  for (std::size_t row = 0; row < one.size(); ++row) {
    std::size_t diagonal = std::exchange(costs[0], row + 1);
    for (std::size_t at = 0; at < other.size(); ++at) {
      const std::size_t changed = diagonal + (one[row] == other[at] ? 0 : 1);
      diagonal = costs[at + 1];
      costs[at + 1] = std::min({changed, costs[at] + 1, diagonal + 1});
    }
  }
  return costs.back();
}

}  // namespace engine
