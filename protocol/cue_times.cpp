#include "protocol/cue_times.h"

#include <algorithm>

#include "protocol/text_rules.h"

namespace protocol {
namespace {

constexpr double shortest_s = 0.1;
constexpr double written_s = 0.001;  // the files count milliseconds

// NaN and negative times become 0, as in the files.
double sane(double seconds) {
  constexpr double longest_s = 1e9;
  return seconds > 0 ? std::min(seconds, longest_s) : 0;
}

bool has_length(const Cue& cue) {
  return to_milliseconds(cue.end) > to_milliseconds(cue.start);
}

bool take_silence_after(Cue& cue, const Cue* next) {
  const double room = next ? next->start - cue.start : shortest_s;
  if (room < written_s) return false;
  cue.end = cue.start + std::min(room, shortest_s);
  return has_length(cue);
}

bool take_from_before(Cue& cue, Cue& before) {
  if (cue.start - before.end >= written_s) {
    cue.start = std::max(before.end, cue.start - shortest_s);
    return has_length(cue);
  }
  const double share = std::min(shortest_s, (before.end - before.start) / 2);
  if (share < written_s) return false;
  cue.end = before.end;
  before.end -= share;
  cue.start = before.end;
  return has_length(cue);
}

bool take_from_next(Cue& cue, Cue& next) {
  const double share = std::min(shortest_s, (next.end - next.start) / 2);
  if (share < written_s) return false;
  cue.start = next.start;
  next.start += share;
  cue.end = next.start;
  return has_length(cue);
}

}  // namespace

void give_time(std::span<Cue> cues) {
  for (Cue& cue : cues) {
    cue.start = sane(cue.start);
    cue.end = sane(cue.end);
  }
  for (std::size_t i = 0; i < cues.size(); ++i) {
    Cue& cue = cues[i];
    if (has_length(cue)) continue;
    Cue* const before = i > 0 ? &cues[i - 1] : nullptr;
    Cue* const next = i + 1 < cues.size() ? &cues[i + 1] : nullptr;
    cue.end = cue.start;
    if (take_silence_after(cue, next)) continue;
    if (before && take_from_before(cue, *before)) continue;
    if (next && take_from_next(cue, *next)) continue;
    cue.end = cue.start + shortest_s;
  }
}

}  // namespace protocol
