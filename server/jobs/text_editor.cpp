#include "server/jobs/text_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "protocol/text_rules.h"
#include "server/jobs/segment_edits.h"
#include "server/jobs/speaker_rename.h"
#include "server/jobs/text_find.h"

namespace server {

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
  return refused_edit(fmt::format("There is no segment {} in this text.", id),
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

Result<void> TextEditor::write_text(PlacedSegment found, std::string_view text) {
  const auto changed = set_segment_text(found.segment, text);
  if (!changed) return changed.error();
  if (*changed) write(found);
  return {};
}

Result<void> TextEditor::apply_one(const SetText& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  return write_text(*std::move(found), edit.text);
}

// The place of the second part lies between that of the first and the next segment's, as far as its
// first word lies in the text: so there is a place for each word.
Result<void> TextEditor::apply_one(const SplitSegment& edit) {
  const auto found = find(edit.segment);
  if (!found) return found.error();
  auto parts = split_segment(found->segment, edit.word);
  if (!parts) return parts.error();
  const auto next = rows_.behind(next_, found->place);
  const double room = next ? next->place - found->place : 1;
  const double place = found->place + room * edit.word / count_parts(found->segment);
  const std::int64_t id = rows_.unused_id();
  const bool has_room = place > found->place && (!next || place < next->place);
  if (!has_room || id >= first_unused_segment || segments_ >= max_segments) {
    return refused_edit("There is no room for one more segment here.",
                        "Merge segments that you do not need, and split again.");
  }
  write({found->id, found->place, std::move(parts->first)});
  write({id, place, std::move(parts->second)});
  ++segments_;
  return {};
}

Result<void> TextEditor::apply_one(const MergeSegment& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  const auto next = rows_.behind(next_, found->place);
  if (!next) return refused_edit("The segment is the last one, and has none to merge with.");
  const auto appended = append_segment(found->segment, next->segment);
  if (!appended) return appended.error();
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
    return refused_edit("A segment begins at 0 or later, and ends behind its start.");
  }
  const double last = std::max({job_.duration, job_.summary.duration, found.segment.end});
  if (edit.end > last) {
    return refused_edit(fmt::format("The recording ends at {:.3f} s.", last));
  }
  const auto before = rows_.before(next_, found.place), behind = rows_.behind(next_, found.place);
  if (before && edit.start < std::min(before->segment.start, found.segment.start)) {
    return refused_edit(
        fmt::format("The segment before it begins at {:.3f} s.", before->segment.start),
        "Begin at that time or later.");
  }
  if (behind && edit.start > std::max(behind->segment.start, found.segment.start)) {
    return refused_edit(
        fmt::format("The segment behind it begins at {:.3f} s.", behind->segment.start),
        "Begin at that time or earlier.");
  }
  return {};
}

Result<void> TextEditor::apply_one(const SetTimes& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  const auto fine = check_times(*found, edit);
  if (!fine) return fine.error();
  if (found->segment.start == edit.start && found->segment.end == edit.end) return {};
  set_segment_times(found->segment, edit.start, edit.end);
  write(*found);
  return {};
}

Result<void> TextEditor::apply_one(const SetSpeaker& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  if (found->segment.speaker == edit.speaker) return {};
  if (!edit.speaker.empty()) {
    if (const auto fine = protocol::check_speaker_name(edit.speaker); !fine) {
      return refused_edit(fine.error().message, fine.error().fix);
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
  return refused_edit(named.error().message, named.error().fix);
}

// A segment of which nothing is left is removed.
Result<void> TextEditor::apply_one(const ReplaceText& edit) {
  if (edit.find.empty()) return refused_edit("There is nothing to find.");
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
    const auto set = write_text(*std::move(found), with);
    if (!set) return refused_edit(fmt::format("In segment {}: {}", id, set.error().message));
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
