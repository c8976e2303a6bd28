#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "protocol/transcript.h"
#include "protocol/writers.h"
#include "server/commands/output_sink.h"

namespace server {

// Writes one transcript; each segment is written as soon as it is decided.
class TranscriptOutput {
 public:
  // `with_words`: the segments will have the times of words.
  TranscriptOutput(std::unique_ptr<OutputSink> sink, std::unique_ptr<protocol::Writer> writer,
                   bool with_words)
      : sink_(std::move(sink)), writer_(std::move(writer)), with_words_(with_words) {}

  Result<void> begin();
  Result<void> segment(const protocol::Segment& segment);
  Result<void> partial(const protocol::LiveText& live);

  // Ends the transcript. One that was cut short ends after its last segment.
  Result<void> finish(const protocol::Transcript& transcript);

  // Takes a text that was written elsewhere as the whole of it.
  Result<void> whole(std::string_view text);

 private:
  std::unique_ptr<OutputSink> sink_;
  std::unique_ptr<protocol::Writer> writer_;
  bool with_words_;
};

}  // namespace server
