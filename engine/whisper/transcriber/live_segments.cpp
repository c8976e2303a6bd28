#include "engine/whisper/transcriber/live_segments.h"

#include <algorithm>
#include <array>
#include <utility>

namespace engine {
namespace {

constexpr double sentence_above_s = 5;
constexpr double longest_s = 15;

}  // namespace

bool ends_sentence(std::string_view word) {
  constexpr std::array<std::string_view, 8> closing{"\"", "'", ")", "]", "”", "’", "」", "）"};
  constexpr std::array<std::string_view, 8> marks{".", "!", "?", "。", "！", "？", "।", "؟"};
  const auto ends_with = [&](std::string_view sign) { return word.ends_with(sign); };
  for (auto sign = std::ranges::find_if(closing, ends_with); sign != closing.end();
       sign = std::ranges::find_if(closing, ends_with)) {
    word.remove_suffix(sign->size());
  }
  return std::ranges::any_of(marks, ends_with);
}

std::vector<AlignedWord> LiveSegments::add(const AlignedWord& word) {
  words_.push_back(word);
  text_ += word.word;
  const double length = word.end - words_.front().start;
  const bool sentence = length >= sentence_above_s && ends_sentence(word.word);
  if (sentence || length >= longest_s) return take();
  return {};
}

std::vector<AlignedWord> LiveSegments::take() {
  text_.clear();
  return std::exchange(words_, {});
}

}  // namespace engine
