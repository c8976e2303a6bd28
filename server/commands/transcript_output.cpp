#include "server/commands/transcript_output.h"

#include <algorithm>

namespace server {
namespace {

// A header alone is no transcript, so it is written with the first text after it.
Result<void> write(TranscriptOutput::Part& part, std::string_view text) {
  if (text.empty()) return {};
  return part.sink->write(std::exchange(part.header, {}).append(text));
}

Result<void> write_end(TranscriptOutput::Part& part, const protocol::Transcript& transcript) {
  return part.sink->write(std::exchange(part.header, {}) + part.writer->finish(transcript));
}

}  // namespace

void TranscriptOutput::begin() {
  for (Part& part : parts_) part.header = part.writer->begin({.words = with_words_});
}

Result<void> TranscriptOutput::segment(const protocol::Segment& segment) {
  for (Part& part : parts_) {
    if (auto written = write(part, part.writer->segment(segment)); !written) return written;
  }
  return {};
}

Result<void> TranscriptOutput::partial(const protocol::LiveText& live) {
  for (Part& part : parts_) {
    if (auto written = write(part, part.writer->partial(live)); !written) return written;
  }
  return {};
}

Result<void> TranscriptOutput::finish(const protocol::Transcript& transcript) {
  for (Part& part : parts_) {
    if (auto written = write_end(part, transcript); !written) return written;
  }
  for (Part& part : parts_) {
    if (auto done = part.sink->commit(); !done) return done;
  }
  return {};
}

bool TranscriptOutput::keeps_partial() const {
  return std::ranges::any_of(parts_, [](const Part& part) { return part.sink->keeps_partial(); });
}

Result<void> TranscriptOutput::cut_short(const protocol::Transcript& transcript) {
  for (Part& part : parts_) {
    if (!part.sink->keeps_partial()) continue;
    if (auto written = write_end(part, transcript); !written) return written;
    if (auto done = part.sink->cut_short(); !done) return done;
  }
  return {};
}

Result<void> TranscriptOutput::whole(std::string_view text) {
  for (Part& part : parts_) {
    if (auto written = part.sink->write(text); !written) return written;
    if (auto done = part.sink->commit(); !done) return done;
  }
  return {};
}

}  // namespace server
