#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "server/base/error.h"
#include "server/jobs/job_store.h"
#include "server/jobs/text_edit.h"
#include "server/jobs/text_rows.h"

namespace server {

// A page of a text has no more rows than have so many bytes.
inline constexpr std::size_t text_page_bytes = 1 << 20;

// Reads a page of a text in short calls of the store: the segments behind one of them (no id: from
// the first on), of one of the text's versions (none: the newest).
class PageReader {
 public:
  PageReader(std::string id, std::optional<int> version, std::optional<std::int64_t> behind,
             int limit)
      : id_(std::move(id)), version_(version), behind_(behind), limit_(limit) {}

  // Reads on, in the thread of the store, and returns whether the page is whole. Errors:
  // job_not_found, version_not_found, and usage for a segment that the job never had.
  Result<bool> read_on(JobStore& store);
  TextPage take() { return std::move(page_); }

 private:
  Result<void> begin(JobStore& store);
  bool is_full() const { return count_ >= limit_ || bytes_ >= text_page_bytes; }
  void add(const StoredSegment& stored);

  std::string id_;
  std::optional<int> version_;
  std::optional<std::int64_t> behind_;
  int limit_;
  TextPage page_{};
  std::optional<double> next_{};  // the place to go on from, once the reader has begun
  bool has_begun_ = false;
  int count_ = 0;  // of rows in the page
  std::size_t bytes_ = 0;
};

}  // namespace server
