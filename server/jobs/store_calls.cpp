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
  if (bounds_.stop.stop_requested()) throw TextFailure{work_stopped()};
}

Result<void> TextReader::take(std::size_t bytes) const {
  return bounds_.memory ? bounds_.memory->take(bytes) : Result<void>();
}

void TextReader::call(const ReadText& read) const {
  check_stop();
  Result<void> done;
  on_store_([&](JobStore& store) { done = store.read_text(job_, read); });
  if (!done) throw TextFailure{done.error()};
}

std::vector<StoredSegment> TextReader::slice(int version, double behind) const {
  TextSlice slice{.next = behind};
  while (slice.next && slice.segments.empty()) {
    call([&, from = *slice.next](const TextRows& rows) {
      slice = rows.read(version, from, text_slice_rows, text_slice_bytes);
    });
  }
  return std::move(slice.segments);
}

Error work_stopped() {
  return {errc::client_gone, "The work was stopped because its client disconnected.", ""};
}

}  // namespace server
