#include "engine/whisper/transcriber/made_up.h"

#include <algorithm>
#include <cmath>

#include "engine/whisper/constants.h"
#include "engine/whisper/decoding/strip.h"
#include "engine/whisper/transcriber/prompt_echo.h"

namespace engine {
namespace {

constexpr std::size_t kept_bytes = 1000;  // of the text before
// Nobody says so many letters in a second: the quickest speakers say 25.
constexpr double most_letters_a_second = 30;
// Shorter texts than that stand in many others.
constexpr std::size_t letters_of_sentence = 12;

Clip frames_of(const Segment& segment) {
  return {static_cast<std::int64_t>(std::floor(segment.start * frames_per_second)),
          static_cast<std::int64_t>(std::ceil(segment.end * frames_per_second))};
}

// Cuts the times of a segment at the end of its window; what begins behind it gets no length.
void end_by(Segment& segment, double end) {
  segment.start = std::min(segment.start, end);
  segment.end = std::min(segment.end, end);
  for (auto& word : segment.words) {
    word.start = std::min(word.start, end);
    word.end = std::min(word.end, end);
  }
}

}  // namespace

Result<void> MadeUp::remove_from(std::vector<Segment>& segments, const Clip& window, bool is_last) {
  std::vector<Segment> said;
  for (Segment& segment : segments) {
    end_by(segment, static_cast<double>(window.end) / frames_per_second);
    const auto made_up = is_made_up(segment, is_last);
    if (!made_up) return made_up.error();
    if (*made_up) continue;
    before_ += segment.text;
    if (before_.size() > kept_bytes) before_.erase(0, before_.size() - kept_bytes);
    said.push_back(std::move(segment));
  }
  segments = std::move(said);
  return {};
}

Result<bool> MadeUp::is_made_up(const Segment& segment, bool is_last) const {
  if (has_prefix_ && strip(segment.text).empty()) return true;
  const std::string letters = letters_of(segment.text);
  if (letters.empty()) return false;
  if (segment.end <= segment.start) return true;
  const double seconds = segment.end - segment.start;
  const bool is_too_much = static_cast<double>(letters.size()) > most_letters_a_second * seconds;
  if (is_last && is_too_much && letters_of(before_).find(letters) != std::string::npos) return true;
  if (!repeats_what_was_read(segment, is_last)) return false;
  return hearing_.is_silent(frames_of(segment));
}

bool MadeUp::repeats_what_was_read(const Segment& segment, bool is_last) const {
  constexpr double most_words = 0.6, all_words = 1;
  if (PromptEcho(given_).repeats(segment.text, most_words)) return true;
  if (!is_last && letters_of(segment.text).size() < letters_of_sentence) return false;
  return PromptEcho(given_ + before_).repeats(segment.text, all_words);
}

}  // namespace engine
