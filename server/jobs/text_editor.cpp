#include "server/jobs/text_editor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "protocol/segment_parts.h"
#include "protocol/text_rules.h"
#include "server/base/counted.h"
#include "server/jobs/job_json.h"
#include "server/jobs/search_index.h"
#include "server/jobs/speaker_rename.h"
#include "server/jobs/text_find.h"
#include "server/jobs/word_times.h"

namespace server {
namespace {

using protocol::Segment;
using protocol::Word;

Error refused(std::string why, std::string fix = {}) {
  return {bad_edit, std::move(why), std::move(fix)};
}

// Returns a text as a segment may have it: in one line, with the white space before it that the old
// one had. Nothing is left of a text of white space.
Result<std::string> line_of(std::string_view text, std::string_view old_text) {
  const std::string line = protocol::replace_space(text, " ");
  const auto is_control = [](char c) { return (c >= '\0' && c < ' ') || c == '\x7f'; };
  if (std::ranges::any_of(line, is_control)) {
    return refused("The text has a control character.", "Leave it out.");
  }
  const auto content = protocol::strip(line);
  if (content.empty()) return std::string();
  if (content.size() > max_segment_bytes) {
    return refused(fmt::format("The text has {} bytes, and a segment may have {} at most.",
                               content.size(), max_segment_bytes),
                   "Split it.");
  }
  std::string whole(old_text.substr(0, protocol::leading_space(old_text)));
  return whole.append(content);
}

// The tokens of a text are of no other one.
void forget_tokens(Segment& segment) {
  segment.tokens.clear();
  segment.token_logprobs.clear();
}

std::vector<Word> words_or_parts(const Segment& segment) {
  if (!segment.words.empty()) return segment.words;
  return timed_words({}, segment.text, segment.start, segment.end);
}

void append(Segment& segment, const Segment& other) {
  const bool has_words = !segment.words.empty() || !other.words.empty();
  if (has_words) {
    segment.words = words_or_parts(segment);
    std::ranges::move(words_or_parts(other), std::back_inserter(segment.words));
  }
  segment.text += other.text;
  segment.end = std::max(segment.end, other.end);
  if (segment.speaker.empty()) segment.speaker = other.speaker;
  std::ranges::copy(other.tokens, std::back_inserter(segment.tokens));
  std::ranges::copy(other.token_logprobs, std::back_inserter(segment.token_logprobs));
}

}  // namespace

const char* name_of(const TextEdit& edit) {
  constexpr std::array names{"text",  "split",   "merge", "delete",
                             "times", "speaker", "name",  "replace"};
  static_assert(names.size() == std::variant_size_v<TextEdit>);
  return names[edit.index()];
}

void throw_exception_from_error(const EditRefusal& refusal, const boost::source_location& where) {
  throw_exception_from_error(refusal.error, where);
}

TextEditor::TextEditor(TextRows& rows, const Job& job)
    : rows_(rows),
      job_(job),
      next_(job.version + 1),
      segments_(job.segments),
      names_(job.speaker_names) {}

Result<void> TextEditor::apply(const TextEdit& edit) {
  return std::visit([this](const auto& one) { return apply_one(one); }, edit);
}

Result<PlacedSegment> TextEditor::find(std::int64_t id) const {
  auto found = rows_.find(next_, id);
  if (found) return *std::move(found);
  return refused(fmt::format("There is no segment {} in this text.", id),
                 "Read the segments again.");
}

void TextEditor::write(const PlacedSegment& segment) {
  rows_.write(next_, segment);
  touched_.insert(segment.id);
}

void TextEditor::remove(const PlacedSegment& segment) {
  rows_.remove(next_, segment.id, segment.place);
  touched_.insert(segment.id);
  --segments_;
}

Result<void> TextEditor::set_text(PlacedSegment found, std::string_view text) {
  Segment& segment = found.segment;
  auto line = line_of(text, segment.text);
  if (!line) return line.error();
  if (line->empty()) {
    return refused("The text is empty.", "Delete the segment instead.");
  }
  if (*line == segment.text) return {};
  if (!segment.words.empty()) {
    segment.words = timed_words(segment.words, *line, segment.start, segment.end);
  }
  segment.text = *std::move(line);
  forget_tokens(segment);
  write(found);
  return {};
}

Result<void> TextEditor::apply_one(const SetText& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  return set_text(*std::move(found), edit.text);
}

Result<void> TextEditor::apply_one(const SplitSegment& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  Segment whole = found->segment;
  whole.words = words_or_parts(whole);
  const auto words = static_cast<int>(whole.words.size());
  if (edit.word < 1 || edit.word >= words) {
    return refused(words < 2
                       ? "The segment has one word, and cannot be split."
                       : fmt::format("The segment has {} words, so word must be from 1 to {}.",
                                     words, words - 1));
  }
  const auto next = rows_.behind(next_, found->place);
  const double room = next ? next->place - found->place : 1;
  const double place = found->place + room * edit.word / words;
  const std::int64_t id = rows_.unused_id();
  const bool has_room = place > found->place && (!next || place < next->place);
  if (!has_room || id >= first_other_row || segments_ >= max_segments) {
    return refused("There is no room for one more segment here.",
                   "Merge segments that you do not need, and split again.");
  }
  const std::array borders{std::size_t{0}, static_cast<std::size_t>(edit.word), whole.words.size()};
  auto parts = protocol::cut_segment(whole, borders);
  if (found->segment.words.empty()) {
    for (Segment& part : parts) part.words.clear();
  }
  write({found->id, found->place, std::move(parts[0])});
  write({id, place, std::move(parts[1])});
  ++segments_;
  return {};
}

Result<void> TextEditor::apply_one(const MergeSegment& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  const auto next = rows_.behind(next_, found->place);
  if (!next) return refused("The segment is the last one, and has none to merge with.");
  if (found->segment.channel != next->segment.channel) {
    return refused("The segment and the one behind it are of two channels.");
  }
  append(found->segment, next->segment);
  if (found->segment.text.size() > max_segment_bytes) {
    return refused(
        fmt::format("Together the segments would have {} bytes of text, and may have {}.",
                    found->segment.text.size(), max_segment_bytes));
  }
  write(*found);
  remove(*next);
  return {};
}

Result<void> TextEditor::apply_one(const RemoveSegment& edit) {
  const auto found = find(edit.segment);
  if (!found) return found.error();
  remove(*found);
  return {};
}

Result<void> TextEditor::check_times(const PlacedSegment& found, const SetTimes& edit) const {
  const bool are_times = std::isfinite(edit.start) && std::isfinite(edit.end);
  if (!are_times || edit.start < 0 || edit.end <= edit.start) {
    return refused("A segment begins at 0 or later, and ends behind its start.");
  }
  const double last = std::max({job_.duration, job_.summary.duration, found.segment.end});
  if (edit.end > last) {
    return refused(fmt::format("The recording ends at {:.3f} s.", last));
  }
  const auto before = rows_.before(next_, found.place), behind = rows_.behind(next_, found.place);
  if (before && edit.start < std::min(before->segment.start, found.segment.start)) {
    return refused(fmt::format("The segment before it begins at {:.3f} s.", before->segment.start),
                   "Begin at that time or later.");
  }
  if (behind && edit.start > std::max(behind->segment.start, found.segment.start)) {
    return refused(fmt::format("The segment behind it begins at {:.3f} s.", behind->segment.start),
                   "Begin at that time or earlier.");
  }
  return {};
}

Result<void> TextEditor::apply_one(const SetTimes& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  const auto fine = check_times(*found, edit);
  if (!fine) return fine.error();
  Segment& segment = found->segment;
  if (segment.start == edit.start && segment.end == edit.end) return {};
  segment.start = edit.start;
  segment.end = edit.end;
  for (Word& word : segment.words) {
    word.start = std::clamp(word.start, edit.start, edit.end);
    word.end = std::clamp(word.end, edit.start, edit.end);
  }
  write(*found);
  return {};
}

Result<void> TextEditor::apply_one(const SetSpeaker& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  if (found->segment.speaker == edit.speaker) return {};
  if (!edit.speaker.empty()) {
    if (const auto fine = protocol::check_speaker_name(edit.speaker); !fine) {
      return refused(fine.error().message, fine.error().fix);
    }
    note_speaker(job_, edit.speaker, names_);
  }
  found->segment.speaker = edit.speaker;
  write(*found);
  return {};
}

Result<void> TextEditor::apply_one(const NameSpeaker& edit) {
  const auto named = name_speaker(job_, edit.speaker, edit.name, names_);
  if (named) return {};
  return refused(named.error().message, named.error().fix);
}

// A segment of which nothing is left is removed.
Result<void> TextEditor::apply_one(const ReplaceText& edit) {
  if (edit.find.empty()) return refused("There is nothing to find.");
  for (const auto& [id, text] : rows_.texts(next_)) {
    const auto places = find_in(text, edit.find, edit.rule);
    if (places.empty()) continue;
    auto found = find(id);
    if (!found) return found.error();
    replaced_ += static_cast<int>(places.size());
    const std::string with = server::replaced(text, places, edit.with);
    if (protocol::strip(with).empty()) {
      remove(*found);
      continue;
    }
    const auto set = set_text(*std::move(found), with);
    if (!set) return refused(fmt::format("In segment {}: {}", id, set.error().message));
  }
  return {};
}

void TextEditor::restore(int version) {
  for (const std::int64_t id : rows_.changed_since(version)) {
    const auto then = rows_.find(version, id), now = rows_.find(job_.version, id);
    if (then) {
      if (!now || now->segment != then->segment) write(*then);
    } else if (now) {
      rows_.remove(next_, id, now->place);
      touched_.insert(id);
    }
  }
  segments_ = rows_.count(next_);
}

TextChange TextEditor::change() const {
  TextChange change{.version = job_.version,
                    .segments = segments_,
                    .speaker_names = names_,
                    .replaced = replaced_};
  std::vector<PlacedSegment> changed;
  for (const std::int64_t id : touched_) {
    auto now = rows_.find(next_, id);
    const auto then = rows_.find(job_.version, id);
    if (now && (!then || then->segment != now->segment)) changed.push_back(*std::move(now));
    if (then && !now) change.removed.push_back(id);
  }
  std::ranges::sort(changed, {}, &PlacedSegment::place);
  for (auto& one : changed) change.changed.push_back({one.id, std::move(one.segment)});
  const bool differs =
      !change.changed.empty() || !change.removed.empty() || names_ != job_.speaker_names;
  if (differs) change.version = next_;
  return change;
}

}  // namespace server
