#include "server/commands/transcript_output.h"

namespace server {

Result<void> TranscriptOutput::begin() {
  return sink_->write(writer_->begin({.words = with_words_}));
}

Result<void> TranscriptOutput::segment(const protocol::Segment& segment) {
  return sink_->write(writer_->segment(segment));
}

Result<void> TranscriptOutput::partial(const protocol::LiveText& live) {
  return sink_->write(writer_->partial(live));
}

Result<void> TranscriptOutput::finish(const protocol::Transcript& transcript) {
  if (auto written = sink_->write(writer_->finish(transcript)); !written) return written;
  return sink_->commit();
}

Result<void> TranscriptOutput::whole(std::string_view text) {
  if (auto written = sink_->write(text); !written) return written;
  return sink_->commit();
}

}  // namespace server
