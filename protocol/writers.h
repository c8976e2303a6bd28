#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/error.h"
#include "protocol/transcript.h"

// This file writes transcripts byte for byte as openai/whisper does (lrc: as whisper.cpp does;
// rttm: as NIST defined it; ass: as Aegisub does), except for what parsers of srt and vtt need: no
// cue is empty or has no length, and no text has "-->" or, in vtt, signs that are not escaped.
namespace protocol {

struct Cue;
struct WriterOptions;

// Makes the cues of a whole transcript, in the order of their starts.
using CueLayout = std::function<std::vector<Cue>(const Transcript&, const WriterOptions&)>;

struct WriterOptions {
  // Line breaking for srt, vtt and ass; it needs word times and does nothing without them.
  std::optional<int> max_line_width{};      // characters
  std::optional<int> max_line_count{};      // lines in one subtitle
  std::optional<int> max_words_per_line{};  // counted anew in each segment
  bool highlight_words = false;             // a cue per word, which it underlines; ass: karaoke
  bool mark_words = false;                  // cues tell when each word begins
  // Makes the cues of srt, vtt and ass instead of the line breaking above.
  CueLayout layout{};
  bool layout_yields = false;  // to the line breaking above, if one of its options is set
  // The speaker of each channel, by the channel's number, for segments that do not name one. The
  // name is before the text, "Caller: Hello."; json has a field for it.
  std::vector<std::string> channel_labels{};
  std::string recording{};  // what rttm and docx call the recording
};

// Facts that must be known before the first segment.
struct WriterMeta {
  bool words = false;  // the segments carry word times
};

// Turns one transcript into text, piece by piece: begin, segment for each in order, finish. The
// joined pieces are the file; a format writes each part as soon as it can, at the latest with
// finish.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual std::string begin(const WriterMeta& meta) = 0;
  virtual std::string segment(const Segment& segment) = 0;
  virtual std::string finish(const Transcript& transcript) = 0;
  // Writes the state of a live transcription, after the segments that were decided by then. Most
  // formats cannot express it and write nothing.
  virtual std::string partial(const LiveText&) { return {}; }
};

// Returns txt, srt, vtt, ass, tsv, json, lrc, rttm. The name is also the file's extension. rttm has
// the turns of speakers alone, where they were told apart.
std::span<const std::string_view> writer_formats();
Result<std::unique_ptr<Writer>> make_writer(std::string_view format,
                                            const WriterOptions& options = {});

// Returns the formats for a recording that has not ended: those above, of which txt is written word
// by word, and jsonl, one JSON object a line, whose "type" is segment, partial or done.
std::span<const std::string_view> live_formats();
Result<std::unique_ptr<Writer>> make_live_writer(std::string_view format,
                                                 const WriterOptions& options = {});

// Writes the whole file at once.
Result<std::string> write_transcript(std::string_view format, const Transcript& transcript,
                                     const WriterOptions& options = {});

}  // namespace protocol
