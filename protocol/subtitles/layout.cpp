#include "protocol/subtitles/layout.h"

#include <algorithm>
#include <utility>

#include "protocol/cue_text.h"
#include "protocol/cue_times.h"
#include "protocol/segment_runs.h"
#include "protocol/speakers.h"
#include "protocol/subtitle_cues.h"
#include "protocol/subtitles/cue_breaks.h"
#include "protocol/subtitles/cue_pace.h"
#include "protocol/subtitles/overlaps.h"
#include "protocol/subtitles/rules.h"
#include "protocol/text_rules.h"

namespace protocol {
namespace {

using subtitles::Atom;
using subtitles::CueBreak;

void add_line(Cue& cue, std::span<const Atom> atoms, bool marks_words) {
  if (!cue.text.empty()) cue.text += '\n';
  std::size_t at = cue.text.size();
  bool begins_word = true;
  for (const Atom& atom : atoms) {
    if (begins_word && marks_words) cue.words.push_back({at, atom.start});
    begins_word = atom.ends_word;
    at += atom.text.size() + (atom.has_space ? 1 : 0);
  }
  cue.text += line_of(atoms);
}

Cue cue_of(std::span<const Atom> atoms, const CueBreak& part, const Segment& segment,
           const WriterOptions& options) {
  const bool marks_words = options.mark_words && !segment.words.empty();
  Cue cue{.start = atoms[part.begin].start, .end = atoms[part.end - 1].end};
  add_line(cue, atoms.subspan(part.begin, part.second - part.begin), marks_words);
  if (part.second < part.end) {
    add_line(cue, atoms.subspan(part.second, part.end - part.second), marks_words);
  }
  name_cue(cue, segment, options);
  remove_blank_lines(cue);
  return cue;
}

// The name of the speaker needs room in the first line.
int label_columns(const Segment& segment, const WriterOptions& options) {
  const std::string label = speaker_of(segment, options.channel_labels);
  return label.empty() ? 0 : subtitles::columns_of(label + ": ");
}

bool is_one_voice(const Segment& a, const Segment& b) {
  return a.speaker == b.speaker && a.channel == b.channel && a.language == b.language;
}

std::vector<Cue> lay_out(const Transcript& transcript, const WriterOptions& options,
                         const subtitles::Rules& rules) {
  std::vector<subtitles::VoicedCue> said;
  const auto segments = segments_with_text(transcript.segments);
  const auto runs = segment_runs(segments, is_one_voice);
  for (const auto& [run, is_interrupted] : interrupted_runs(runs)) {
    const auto& own = run.front().language;
    const std::string& language = own.empty() ? transcript.language : own;
    const auto atoms = subtitles::atoms_of(run, language, rules);
    const subtitles::CueLabel label{label_columns(run.front(), options), is_interrupted};
    std::vector<Cue> of_run;
    for (const CueBreak& part : subtitles::break_into_cues(atoms, language, rules, label)) {
      of_run.push_back(cue_of(atoms, part, run.front(), options));
    }
    give_time(of_run);
    for (Cue& cue : of_run) said.push_back({std::move(cue), &run.front()});
  }
  std::ranges::stable_sort(said, {},
                           [](const auto& one) { return to_milliseconds(one.cue.start); });
  auto cues = subtitles::without_overlaps(std::move(said), transcript.duration, rules);
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

WriterOptions with_style(WriterOptions options, SubtitleStyle style) {
  options.layout = layout_of(style);
  options.layout_yields = style == SubtitleStyle::standard;
  return options;
}

}  // namespace protocol
