#include "server/commands/transcript_output.h"

#include <utility>

namespace server {

TranscriptOutput::TranscriptOutput(std::unique_ptr<OutputSink> sink, const std::string& format,
                                   const protocol::WriterOptions& options, bool with_words)
    : sink_(std::move(sink)),
      writer_(protocol::make_writer(format, options).value()),
      with_words_(with_words) {}

Result<void> TranscriptOutput::begin() {
  return sink_->write(writer_->begin({.words = with_words_}));
}

Result<void> TranscriptOutput::segment(const protocol::Segment& segment) {
  return sink_->write(writer_->segment(segment));
}

Result<void> TranscriptOutput::finish(const protocol::Transcript& transcript) {
  if (auto written = sink_->write(writer_->finish(transcript)); !written) return written;
  return sink_->commit();
}

}  // namespace server
