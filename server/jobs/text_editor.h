#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/jobs/job.h"
#include "server/jobs/text_edit.h"
#include "server/jobs/text_rows.h"

namespace server {

// Makes the next version of a job's text. Whoever uses it has begun a transaction, and takes back
// what was written if an edit fails, or if nothing has changed. Members throw what the rows throw.
class TextEditor {
 public:
  // `job` is read with its newest version.
  TextEditor(TextRows& rows, const Job& job);

  // Errors: bad_edit, with a sentence that says why.
  Result<void> apply(const TextEdit& edit);
  // Makes the text equal to that of an earlier version.
  void restore(int version);

  // Returns what differs from the version before; its version is that one if nothing does.
  TextChange change() const;

 private:
  Result<void> apply_one(const SetText& edit);
  Result<void> apply_one(const SplitSegment& edit);
  Result<void> apply_one(const MergeSegment& edit);
  Result<void> apply_one(const RemoveSegment& edit);
  Result<void> apply_one(const SetTimes& edit);
  Result<void> apply_one(const SetSpeaker& edit);
  Result<void> apply_one(const NameSpeaker& edit);
  Result<void> apply_one(const ReplaceText& edit);

  Result<PlacedSegment> find(std::int64_t id) const;
  Result<void> write_text(PlacedSegment segment, std::string_view text);
  void write(const PlacedSegment& segment);
  void remove(const PlacedSegment& segment);
  Result<void> check_times(const PlacedSegment& segment, const SetTimes& edit) const;

  TextRows& rows_;
  const Job& job_;
  int next_;      // the version that is made
  int segments_;  // that it has
  std::set<std::int64_t> touched_{};
  protocol::SpeakerNames names_;
  int replaced_ = 0;
};

}  // namespace server
