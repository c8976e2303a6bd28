#include "engine/whisper/transcriber/live_cut.h"

#include <algorithm>

namespace engine {

double live_cut(const LiveSpan& buffer, std::span<const HeardWord> committed,
                std::span<const HeardWord> unsure) {
  if (buffer.length() <= cut_above_s) return buffer.begin;
  const double sure_end = committed.empty() ? buffer.begin : committed.back().word.end;
  if (!committed.empty() && unsure.empty()) return std::min(sure_end, buffer.end);
  for (auto word = committed.rbegin(); word != committed.rend(); ++word) {
    if (word->ends_segment) return word->word.end;
  }
  if (buffer.length() <= force_above_s) return buffer.begin;
  double cut = buffer.end - kept_s;
  if (!unsure.empty()) cut = std::min(cut, unsure.front().word.start);
  // A word may be said to begin long before.
  cut = std::max({cut, buffer.begin + kept_s / 2, sure_end});
  return std::min(cut, buffer.end);
}

}  // namespace engine
