#include "protocol/cue_text.h"
#include "protocol/format_writers.h"
#include "protocol/subtitle_cues.h"
#include "protocol/text_rules.h"

namespace protocol {
namespace {

std::string time_line(const Cue& cue, Hours hours, char decimal_marker) {
  return format_timestamp(cue.start, hours, decimal_marker) + " --> " +
         format_timestamp(cue.end, hours, decimal_marker) + '\n';
}

// Cues from segments are written as they come. Words may be joined across segments, so a
// transcript with word timestamps or a layout is written at the end.
class SubtitleWriter : public Writer {
 public:
  explicit SubtitleWriter(const WriterOptions& options) : options_(options) {}

  std::string begin(const WriterMeta& meta) override {
    words_ = meta.words;
    return header();
  }
  std::string segment(const Segment& segment) override {
    if (is_written_at_end()) return {};
    const auto cue = segment_cue(segment, options_);
    return cue ? next(*cue) : std::string();
  }
  std::string finish(const Transcript& transcript) override {
    if (!is_written_at_end()) return {};
    std::string text;
    for (const Cue& cue : options_.layout ? options_.layout(transcript, options_)
                                          : word_cues(transcript.segments, options_)) {
      text += next(cue);
    }
    return text;
  }

 private:
  virtual std::string header() const = 0;
  virtual std::string write(const Cue& cue, bool tells_speaker) = 0;

  bool is_written_at_end() const { return words_ || options_.layout; }

  std::string next(const Cue& cue) {
    const bool is_another = cue.speaker != speaker_;
    speaker_ = cue.speaker;
    return write(cue, is_another) + "\n\n";
  }

  WriterOptions options_;
  bool words_ = false;
  std::string speaker_{};  // of the cue before
};

class SrtWriter : public SubtitleWriter {
 public:
  using SubtitleWriter::SubtitleWriter;

 private:
  std::string header() const override { return {}; }
  std::string write(const Cue& cue, bool tells_speaker) override {
    return std::to_string(++number_) + '\n' + time_line(cue, Hours::always, ',') +
           srt_text(cue, tells_speaker);
  }

  int number_ = 0;
};

class VttWriter : public SubtitleWriter {
 public:
  using SubtitleWriter::SubtitleWriter;

 private:
  std::string header() const override { return "WEBVTT\n\n"; }
  std::string write(const Cue& cue, bool tells_speaker) override {
    return time_line(cue, Hours::where_needed, '.') + vtt_text(cue, tells_speaker);
  }
};

}  // namespace

std::unique_ptr<Writer> make_srt_writer(const WriterOptions& options) {
  return std::make_unique<SrtWriter>(options);
}

std::unique_ptr<Writer> make_vtt_writer(const WriterOptions& options) {
  return std::make_unique<VttWriter>(options);
}

}  // namespace protocol
