#include "server/jobs/page_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "server/jobs/job_text.h"

namespace server {

Result<void> PageReader::begin(JobStore& store) {
  const auto job = store.find(id_, std::nullopt);
  if (!job) return job.error();
  if (!*job) return job_not_found(id_);
  const int newest = (*job)->version;
  page_.version = version_.value_or(newest);
  if (page_.version < 0 || page_.version > newest) return no_such_version(page_.version, newest);
  next_ = before_all_places;
  has_begun_ = true;
  if (!behind_) return {};
  const auto read =
      store.read_text(id_, [&](const TextRows& rows) { next_ = rows.place_of(*behind_); });
  if (!read || next_) return read;
  return Error{errc::usage, fmt::format("The job has no segment {} to continue after.", *behind_),
               "Begin with the first page again."};
}

// One row more than the page has tells whether the text goes on.
Result<bool> PageReader::read_on(JobStore& store) {
  if (!has_begun_) {
    if (const auto begun = begin(store); !begun) return begun.error();
  }
  TextSlice slice;
  const int wanted = is_full() ? 1 : std::min(limit_ + 1 - count_, text_slice_rows);
  const auto read = store.read_text(id_, [&](const TextRows& rows) {
    slice = rows.read(page_.version, *next_, wanted, text_slice_bytes);
  });
  if (!read) return read.error();
  for (const auto& stored : slice.segments) {
    page_.has_more = is_full();
    if (page_.has_more) return true;
    add(stored);
  }
  next_ = slice.next;
  return !next_;
}

void PageReader::add(const StoredSegment& stored) {
  ++count_;
  bytes_ += stored.content.size();
  auto one = decoded(stored);
  if (one) page_.segments.push_back({one->id, std::move(one->segment)});
}

}  // namespace server
