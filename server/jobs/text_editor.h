#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/jobs/edited_rows.h"
#include "server/jobs/job.h"
#include "server/jobs/text_draft.h"
#include "server/jobs/text_edit.h"

namespace server {

// Makes the next version of a job's text, in memory. Members throw TextFailure, as the rows do.
class TextEditor {
 public:
  // `rows` are of the job's newest version.
  TextEditor(EditedRows& rows, const Job& job);

  // Errors: bad_edit, with a sentence that says why.
  Result<void> apply(const TextEdit& edit);
  // Makes the text equal to that of an earlier version.
  void restore(int version);

  // Returns what differs from the version before, and the rows to be written; its version is that
  // one if nothing does.
  TextDraft draft();

 private:
  Result<void> apply_one(const SetText& edit);
  Result<void> apply_one(const SplitSegment& edit);
  Result<void> apply_one(const MergeSegment& edit);
  Result<void> apply_one(const RemoveSegment& edit);
  Result<void> apply_one(const SetTimes& edit);
  Result<void> apply_one(const SetSpeaker& edit);
  Result<void> apply_one(const NameSpeaker& edit);
  Result<void> apply_one(const ReplaceText& edit);
  Result<void> apply_one(const MergeSpeakers& edit);

  Result<PlacedSegment> find(std::int64_t id);
  // Takes a label that a segment may get.
  Result<void> note_label(const std::string& label);
  Result<void> write_text(PlacedSegment segment, std::string_view text);
  int segments() const { return job_.segments + rows_.added(); }
  Result<void> check_times(const PlacedSegment& segment, const SetTimes& edit);

  EditedRows& rows_;
  const Job& job_;
  protocol::SpeakerNames names_;
  int replaced_ = 0;
};

}  // namespace server
