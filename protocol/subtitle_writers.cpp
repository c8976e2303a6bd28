#include "protocol/format_writers.h"
#include "protocol/subtitle_cues.h"
#include "protocol/text_rules.h"

namespace protocol {
namespace {

// Cues from segments are written as they come. Words may be joined across segments, so that a
// transcript with word times is written at the end.
class SubtitleWriter : public Writer {
 public:
  explicit SubtitleWriter(const WriterOptions& options) : options_(options) {}

  std::string begin(const WriterMeta& meta) override {
    words_ = meta.words;
    return header();
  }
  std::string segment(const Segment& segment) override {
    return words_ ? std::string() : write(segment_cue(segment));
  }
  std::string finish(const Transcript& transcript) override {
    std::string text;
    if (!words_) return text;
    for (const auto& cue : word_cues(transcript.segments, options_)) text += write(cue);
    return text;
  }

 private:
  virtual std::string header() const = 0;
  virtual std::string write(const Cue& cue) = 0;

  WriterOptions options_;
  bool words_ = false;
};

std::string cue_lines(const Cue& cue, Hours hours, char decimal_marker) {
  return format_timestamp(cue.start, hours, decimal_marker) + " --> " +
         format_timestamp(cue.end, hours, decimal_marker) + '\n' + cue.text + "\n\n";
}

class SrtWriter : public SubtitleWriter {
 public:
  using SubtitleWriter::SubtitleWriter;

 private:
  std::string header() const override { return {}; }
  std::string write(const Cue& cue) override {
    return std::to_string(++number_) + '\n' + cue_lines(cue, Hours::always, ',');
  }

  int number_ = 0;
};

class VttWriter : public SubtitleWriter {
 public:
  using SubtitleWriter::SubtitleWriter;

 private:
  std::string header() const override { return "WEBVTT\n\n"; }
  std::string write(const Cue& cue) override { return cue_lines(cue, Hours::where_needed, '.'); }
};

}  // namespace

std::unique_ptr<Writer> make_srt_writer(const WriterOptions& options) {
  return std::make_unique<SrtWriter>(options);
}

std::unique_ptr<Writer> make_vtt_writer(const WriterOptions& options) {
  return std::make_unique<VttWriter>(options);
}

}  // namespace protocol
