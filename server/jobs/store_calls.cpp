#include "server/jobs/store_calls.h"

#include <utility>

#include "server/jobs/job_json.h"

namespace server {

OnStore directly(JobStore& store) {
  return [&store](const std::function<void(JobStore&)>& call) { call(store); };
}

std::optional<PlacedSegment> decoded(const StoredSegment& stored) {
  auto segment = decode_segment(stored.content);
  if (!segment) return std::nullopt;
  return PlacedSegment{stored.id, stored.place, *std::move(segment)};
}

void TextReader::check_stop() const {
  if (stop_.stop_requested()) throw TextFailure{work_stopped()};
}

void TextReader::call(const ReadText& read) const {
  check_stop();
  Result<void> done;
  on_store_([&](JobStore& store) { done = store.read_text(job_, read); });
  if (!done) throw TextFailure{done.error()};
}

std::vector<StoredSegment> TextReader::slice(int version, double behind) const {
  std::vector<StoredSegment> found;
  call([&](const TextRows& rows) {
    found = rows.read(version, behind, text_slice_rows, 0, text_slice_bytes);
  });
  return found;
}

Error work_stopped() {
  return {errc::client_gone, "The work was stopped, since nobody waits for it any more.", ""};
}

}  // namespace server
