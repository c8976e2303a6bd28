#include "server/commands/transcript_output.h"

#include <utility>

namespace server {

TranscriptOutput::TranscriptOutput(std::unique_ptr<OutputSink> sink, const std::string& format)
    : sink_(std::move(sink)), writer_(protocol::make_writer(format).value()) {}

Result<void> TranscriptOutput::begin() {
  return sink_->write(writer_->begin({}));
}

Result<void> TranscriptOutput::segment(const protocol::Segment& segment) {
  return sink_->write(writer_->segment(segment));
}

Result<void> TranscriptOutput::finish(const protocol::Transcript& transcript) {
  if (auto written = sink_->write(writer_->finish(transcript)); !written) return written;
  return sink_->commit();
}

}  // namespace server
