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
  constexpr std::array names{"text",    "split", "merge",   "delete",        "times",
                             "speaker", "name",  "replace", "merge_speakers"};
  static_assert(names.size() == std::variant_size_v<TextEdit>);
  return names[edit.index()];
}

void throw_exception_from_error(const EditRefusal& refusal, const boost::source_location& where) {
  throw_exception_from_error(refusal.error, where);
}

TextEditor::TextEditor(EditedRows& rows, const Job& job)
    : rows_(rows), job_(job), names_(job.speaker_names) {}

Result<void> TextEditor::apply(const TextEdit& edit) {
  return std::visit([this](const auto& one) { return apply_one(one); }, edit);
}

Result<PlacedSegment> TextEditor::find(std::int64_t id) {
  auto found = rows_.find(id);
  if (found) return *std::move(found);
  return refused_edit(fmt::format("There is no segment {} in this text.", id),
                      "Read the segments again.");
}

Result<void> TextEditor::write_text(PlacedSegment found, std::string_view text) {
  rows_.spend(words_to_compare(found.segment, text));
  const auto changed = set_segment_text(found.segment, text);
  if (!changed) return changed.error();
  if (*changed) rows_.write(std::move(found));
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
  const auto next = rows_.behind(found->place);
  const double room = next ? next->place - found->place : 1;
  const double place = found->place + room * edit.word / count_parts(found->segment);
  const std::int64_t id = rows_.take_id();
  const bool has_room = place > found->place && (!next || place < next->place);
  if (!has_room || id >= first_unused_segment || segments() >= max_segments) {
    return refused_edit("There is no room for one more segment here.",
                        "Merge segments that you do not need, and split again.");
  }
  rows_.write({found->id, found->place, std::move(parts->first)});
  rows_.write({id, place, std::move(parts->second)});
  return {};
}

Result<void> TextEditor::apply_one(const MergeSegment& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  const auto next = rows_.behind(found->place);
  if (!next) return refused_edit("The segment is the last one, and has none to merge with.");
  const auto appended = append_segment(found->segment, next->segment);
  if (!appended) return appended.error();
  rows_.write(*std::move(found));
  rows_.remove(next->id);
  return {};
}

Result<void> TextEditor::apply_one(const RemoveSegment& edit) {
  const auto found = find(edit.segment);
  if (!found) return found.error();
  rows_.remove(found->id);
  return {};
}

Result<void> TextEditor::check_times(const PlacedSegment& found, const SetTimes& edit) {
  const bool are_times = std::isfinite(edit.start) && std::isfinite(edit.end);
  if (!are_times || edit.start < 0 || edit.end <= edit.start) {
    return refused_edit("A segment starts at 0 or later and ends after its start.");
  }
  const double last = std::max({job_.duration, job_.summary.duration, found.segment.end});
  if (edit.end > last) {
    return refused_edit(fmt::format("The recording ends at {:.3f} s.", last));
  }
  const auto before = rows_.before(found.place), behind = rows_.behind(found.place);
  if (before && edit.start < std::min(before->segment.start, found.segment.start)) {
    return refused_edit(
        fmt::format("The previous segment starts at {:.3f} s.", before->segment.start),
        "Begin at that time or later.");
  }
  if (behind && edit.start > std::max(behind->segment.start, found.segment.start)) {
    return refused_edit(fmt::format("The next segment starts at {:.3f} s.", behind->segment.start),
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
  rows_.write(*std::move(found));
  return {};
}

Result<void> TextEditor::note_label(const std::string& label) {
  if (const auto fine = protocol::check_speaker_name(label); !fine) {
    return refused_edit(fine.error().message, fine.error().fix);
  }
  const auto noted = note_speaker(job_, label, names_);
  return noted ? Result<void>() : refused_edit(noted.error().message, noted.error().fix);
}

Result<void> TextEditor::apply_one(const SetSpeaker& edit) {
  auto found = find(edit.segment);
  if (!found) return found.error();
  if (found->segment.speaker == edit.speaker) return {};
  if (!edit.speaker.empty()) {
    if (const auto noted = note_label(edit.speaker); !noted) return noted;
  }
  found->segment.speaker = edit.speaker;
  rows_.write(*std::move(found));
  return {};
}

Result<void> TextEditor::apply_one(const NameSpeaker& edit) {
  const auto named = name_speaker(job_, edit.speaker, edit.name, names_);
  if (named) return {};
  return refused_edit(named.error().message, named.error().fix);
}

// The name of the label that goes stays, for versions in which it stands.
Result<void> TextEditor::apply_one(const MergeSpeakers& edit) {
  if (edit.speaker == edit.into) return refused_edit("A speaker cannot be merged with itself.");
  if (const auto noted = note_label(edit.into); !noted) return noted;
  bool speaks = false;
  for (const std::int64_t id : rows_.ids()) {
    auto found = find(id);
    if (!found) return found.error();
    if (found->segment.speaker != edit.speaker) continue;
    speaks = true;
    found->segment.speaker = edit.into;
    rows_.write(*std::move(found));
  }
  if (speaks && !edit.speaker.empty()) return {};
  return refused_edit(fmt::format("Nobody has the label {} in this text.", edit.speaker),
                      "Read the segments again.");
}

// A segment of which nothing is left is removed.
Result<void> TextEditor::apply_one(const ReplaceText& edit) {
  if (edit.find.empty()) return refused_edit("There is nothing to find.");
  const TextFinder finder(edit.find, edit.rule);
  for (const std::int64_t id : rows_.ids()) {
    const auto places = finder.find_in(rows_.text_of(id));
    if (places.empty()) continue;
    auto found = find(id);
    if (!found) return found.error();
    replaced_ += static_cast<int>(places.size());
    const std::string with = server::replaced(found->segment.text, places, edit.with);
    if (protocol::strip(with).empty()) {
      rows_.remove(id);
      continue;
    }
    const auto set = write_text(*std::move(found), with);
    if (!set) return refused_edit(fmt::format("In segment {}: {}", id, set.error().message));
  }
  return {};
}

void TextEditor::restore(int version) {
  rows_.restore(version);
}

TextDraft TextEditor::draft() {
  auto [changed, removed, rows] = rows_.changes();
  TextDraft draft{.job = job_, .rows = std::move(rows)};
  draft.change = {.version = job_.version,
                  .removed = std::move(removed),
                  .segments = segments(),
                  .speaker_names = names_,
                  .replaced = replaced_};
  for (auto& one : changed) draft.change.changed.push_back({one.id, std::move(one.segment)});
  if (!draft.rows.empty() || names_ != job_.speaker_names) ++draft.change.version;
  return draft;
}

}  // namespace server
