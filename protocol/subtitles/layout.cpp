#include "protocol/subtitles/layout.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "protocol/cue_text.h"
#include "protocol/cue_times.h"
#include "protocol/segment_runs.h"
#include "protocol/subtitle_cues.h"
#include "protocol/subtitles/cue_breaks.h"
#include "protocol/subtitles/cue_pace.h"
#include "protocol/subtitles/rules.h"
#include "protocol/text_rules.h"

namespace protocol {
namespace {

using subtitles::Atom;
using subtitles::CueBreak;

Cue cue_of(std::span<const Atom> atoms, const CueBreak& part, const Segment& segment,
           const WriterOptions& options) {
  Cue cue{.start = atoms[part.begin].start, .end = atoms[part.end - 1].end};
  cue.text = line_of(atoms.subspan(part.begin, part.second - part.begin));
  if (part.second < part.end) {
    cue.text += '\n' + line_of(atoms.subspan(part.second, part.end - part.second));
  }
  name_cue(cue, segment, options);
  remove_blank_lines(cue);
  return cue;
}

bool is_one_voice(const Segment& a, const Segment& b) {
  return a.speaker == b.speaker && a.channel == b.channel && a.language == b.language;
}

std::vector<Cue> lay_out(const Transcript& transcript, const WriterOptions& options,
                         const subtitles::Rules& rules) {
  std::vector<Cue> cues;
  const auto segments = segments_with_text(transcript.segments);
  for (const std::span<const Segment> run : segment_runs(segments, is_one_voice)) {
    const auto& own = run.front().language;
    const std::string& language = own.empty() ? transcript.language : own;
    const auto atoms = subtitles::atoms_of(run, language, rules);
    std::vector<Cue> said;
    for (const CueBreak& part : subtitles::break_into_cues(atoms, language, rules)) {
      said.push_back(cue_of(atoms, part, run.front(), options));
    }
    give_time(said);
    std::ranges::move(said, std::back_inserter(cues));
  }
  std::ranges::stable_sort(cues, {}, [](const Cue& cue) { return to_milliseconds(cue.start); });
  subtitles::pace_cues(cues, transcript.duration, rules);
  return cues;
}

}  // namespace

CueLayout layout_of(SubtitleStyle style) {
  const auto rules = subtitles::rules_of(style);
  if (!rules) return {};
  return [rules = *rules](const Transcript& transcript, const WriterOptions& options) {
    return lay_out(transcript, options, rules);
  };
}

}  // namespace protocol
