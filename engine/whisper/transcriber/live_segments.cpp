#include "engine/whisper/transcriber/live_segments.h"

#include <utility>

namespace engine {
namespace {

constexpr double sentence_above_s = 5;
constexpr double longest_s = 15;

}  // namespace

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
