#include "protocol/subtitles/cue_pace.h"

#include <algorithm>
#include <limits>

#include "protocol/cue_text.h"
#include "protocol/subtitles/atoms.h"

namespace protocol::subtitles {
namespace {

constexpr double short_silence_s = 0.5;

}  // namespace

double reading_s(std::string_view text, const Rules& rules) {
  const double speed = is_wide(text) ? rules.wide_columns_per_s : rules.columns_per_s;
  const auto breaks = std::ranges::count(text, '\n');
  return static_cast<double>(columns_of(text) + breaks) / speed;
}

double needed_s(const Cue& cue, const Rules& rules) {
  return std::clamp(reading_s(shown_lines(cue), rules), rules.shortest_s, rules.longest_s);
}

void pace_cues(std::span<Cue> cues, double duration, const Rules& rules) {
  for (std::size_t i = 0; i < cues.size(); ++i) {
    Cue& cue = cues[i];
    const bool is_last = i + 1 == cues.size();
    const double next = is_last ? std::numeric_limits<double>::infinity() : cues[i + 1].start;
    double latest = next - rules.gap_s;
    if (duration > 0) latest = std::min(latest, std::max(duration, cue.end));
    const double needed = needed_s(cue, rules);
    cue.end = std::max(cue.end, std::min(cue.start + needed, latest));
    const bool has_room = latest - cue.start >= shortest_cut_s;
    if (next - cue.end < short_silence_s && has_room) cue.end = latest;
    cue.end = std::min(cue.end, cue.start + rules.longest_s);
  }
}

}  // namespace protocol::subtitles
