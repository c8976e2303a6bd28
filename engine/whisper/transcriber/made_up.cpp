#include "engine/whisper/transcriber/made_up.h"

#include <algorithm>
#include <cmath>

#include "engine/whisper/constants.h"

namespace engine {
namespace {

constexpr std::size_t kept_letters = 1000;
// Nobody says so many letters in a second: the quickest speakers say 25.
constexpr double most_letters_a_second = 30;

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
    before_ += letters_of(segment.text);
    if (before_.size() > kept_letters) before_.erase(0, before_.size() - kept_letters);
    said.push_back(std::move(segment));
  }
  segments = std::move(said);
  return {};
}

Result<bool> MadeUp::is_made_up(const Segment& segment, bool is_last) const {
  const std::string letters = letters_of(segment.text);
  if (letters.empty()) return false;
  if (segment.end <= segment.start) return true;
  const bool repeats_prompt = prompt_.repeats(segment.text);
  const bool repeats_itself = is_last && before_.find(letters) != std::string::npos;
  if (!repeats_prompt && !repeats_itself) return false;
  const double seconds = segment.end - segment.start;
  const bool is_too_much = static_cast<double>(letters.size()) > most_letters_a_second * seconds;
  if (repeats_itself && is_too_much) return true;
  return hearing_.is_silent(frames_of(segment));
}

}  // namespace engine
