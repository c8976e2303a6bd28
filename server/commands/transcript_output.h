#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/transcript.h"
#include "protocol/writers.h"
#include "server/commands/output_sink.h"

namespace server {

// Writes one transcript in one or several formats; each segment is written as soon as it is
// decided.
class TranscriptOutput {
 public:
  struct Part {
    std::unique_ptr<OutputSink> sink{};
    std::unique_ptr<protocol::Writer> writer{};
    std::string header{};  // that is still to be written
  };

  // `with_words`: the segments will have word timestamps.
  TranscriptOutput(std::vector<Part> parts, bool with_words)
      : parts_(std::move(parts)), with_words_(with_words) {}

  void begin();
  Result<void> segment(const protocol::Segment& segment);
  Result<void> partial(const protocol::LiveText& live);

  // Ends the transcript.
  Result<void> finish(const protocol::Transcript& transcript);

  // Ends a transcript that was cut short, after its last segment, where that is kept.
  Result<void> cut_short(const protocol::Transcript& transcript);
  bool keeps_partial() const;
  bool is_empty() const { return parts_.empty(); }

  // Takes a text that was written elsewhere as the whole of it.
  Result<void> whole(std::string_view text);

 private:
  std::vector<Part> parts_;
  bool with_words_;
};

}  // namespace server
