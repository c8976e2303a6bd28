#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/jobs/job.h"
#include "server/jobs/text_edit.h"

namespace server {

// A row of the next version of a text.
struct DraftRow {
  std::int64_t segment = 0;
  double place = 0;
  std::string content{};  // the segment as JSON; empty: it is gone
  std::string text{};     // of the segment
};

// The next version of a text, which JobStore::write_draft() writes in slices.
struct TextDraft {
  Job job{};             // whose text it is, as it was when that was read
  TextChange change{};   // its version is the next
  std::string origin{};  // what the version's row says of how it was made
  std::vector<DraftRow> rows{};
  std::size_t written = 0;         // how many of the rows the store has
  std::shared_ptr<void> opened{};  // what the store keeps between two slices
};

}  // namespace server
