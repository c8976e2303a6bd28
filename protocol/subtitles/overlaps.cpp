#include "protocol/subtitles/overlaps.h"

#include <algorithm>
#include <utility>

#include "protocol/subtitles/atoms.h"
#include "protocol/subtitles/cue_pace.h"
#include "protocol/text_rules.h"

namespace protocol::subtitles {
namespace {

constexpr double most_delay_s = 2;

bool overlap(const Cue& a, const Cue& b) {
  return to_milliseconds(a.end) > to_milliseconds(b.start);
}

bool is_same_speaker(const Segment& a, const Segment& b) {
  return a.speaker == b.speaker && a.channel == b.channel;
}

bool fits_a_dashed_line(const Cue& cue, const Rules& rules) {
  const bool is_karaoke = !cue.words.empty();  // which a cue has of one voice
  if (cue.reply || is_karaoke || cue.text.find('\n') != cue.text.npos) return false;
  const std::string label = cue.speaker.empty() ? "" : cue.speaker + ": ";
  const int most = is_wide(cue.text) ? rules.wide_columns : rules.columns;
  return columns_of("- " + label + cue.text) <= most;
}

bool can_join(const VoicedCue& a, const VoicedCue& b, const Rules& rules) {
  if (!overlap(a.cue, b.cue) || is_same_speaker(*a.segment, *b.segment)) return false;
  const bool is_read_before = b.cue.start - rules.gap_s - a.cue.start >= needed_s(a.cue, rules);
  return !is_read_before && fits_a_dashed_line(a.cue, rules) && fits_a_dashed_line(b.cue, rules);
}

void join(Cue& a, Cue b) {
  a.end = std::max(a.end, b.end);
  a.reply = CueReply{std::move(b.text), std::move(b.speaker), b.is_channel};
}

// Ends `a` and begins `b` where both can be read best.
void separate(Cue& a, Cue& b, const Rules& rules) {
  const double a_needs = needed_s(a, rules);
  const double b_needs = needed_s(b, rules);
  const double latest = b.start + most_delay_s;
  const double room = std::max(a.end, b.end) - rules.gap_s - a.start;
  const double fair = a.start + room * a_needs / (a_needs + b_needs);
  const bool is_late = a.start + rules.shortest_s + rules.gap_s > latest;
  const double least = a.start + (is_late ? shortest_cut_s : rules.shortest_s);
  const double wanted = std::min({a.start + a_needs, a.end, fair, latest - rules.gap_s});
  a.end = std::max({wanted, least, b.start - rules.gap_s});
  b.start = std::max(b.start, a.end + rules.gap_s);
  b.end = std::max(b.end, b.start + rules.shortest_s);
}

// Moves the last cues back into the recording, as far as they have moved beyond it.
void keep_within(std::vector<Cue>& cues, double last_s) {
  for (std::size_t i = cues.size(); i-- > 0;) {
    Cue& cue = cues[i];
    if (to_milliseconds(cue.end) <= to_milliseconds(last_s)) return;
    cue.end = last_s;
    cue.start = std::max(0.0, std::min(cue.start, cue.end - shortest_cut_s));
    last_s = cue.start;
  }
}

}  // namespace

std::vector<Cue> without_overlaps(std::vector<VoicedCue> cues, double duration,
                                  const Rules& rules) {
  double last_s = duration;
  std::vector<VoicedCue> joined;
  for (VoicedCue& cue : cues) {
    last_s = std::max(last_s, cue.cue.end);
    if (!joined.empty() && can_join(joined.back(), cue, rules)) {
      join(joined.back().cue, std::move(cue.cue));
    } else {
      joined.push_back(std::move(cue));
    }
  }
  std::vector<Cue> apart;
  for (VoicedCue& cue : joined) {
    if (!apart.empty() && overlap(apart.back(), cue.cue)) separate(apart.back(), cue.cue, rules);
    apart.push_back(std::move(cue.cue));
  }
  keep_within(apart, last_s);
  return apart;
}

}  // namespace protocol::subtitles
