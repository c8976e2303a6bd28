#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/subtitles/check.h"
#include "protocol/subtitles/layout.h"
#include "protocol/subtitles/read_cues.h"
#include "protocol/text_rules.h"
#include "protocol/valid_utf8.h"
#include "protocol/writers.h"

namespace {

using protocol::SubtitleStyle;

constexpr SubtitleStyle styles[] = {SubtitleStyle::standard, SubtitleStyle::netflix,
                                    SubtitleStyle::bbc, SubtitleStyle::whisper};

void must(bool holds) {
  if (!holds) std::abort();
}

// Somebody else's file is read and checked.
void read_as_file(std::string_view text) {
  const auto cues = protocol::subtitles::read_cues(text);
  if (!cues) return;
  for (std::size_t i = 0; i < cues->size(); ++i) {
    const auto* before = i > 0 ? &(*cues)[i - 1].cue : nullptr;
    const auto* after = i + 1 < cues->size() ? &(*cues)[i + 1].cue : nullptr;
    for (const auto style : styles) {
      protocol::subtitles::violations_of((*cues)[i].cue, before, after, "en",
                                         protocol::subtitles::rules_of(style));
    }
  }
}

// Divides the text of a segment at its spaces.
std::vector<protocol::Word> words_of(const protocol::Segment& segment) {
  std::vector<protocol::Word> words;
  for (std::size_t at = 0; at < segment.text.size();) {
    const std::size_t end = std::min(segment.text.find(' ', at + 1), segment.text.size());
    const double share = (segment.end - segment.start) / static_cast<double>(segment.text.size());
    words.push_back({segment.start + share * static_cast<double>(at),
                     segment.start + share * static_cast<double>(end),
                     segment.text.substr(at, end - at), 1});
    at = end;
  }
  return words;
}

// Each line is a segment: a sign for its speaker, channel and words, one for its start after that
// of the line before, one for its length, and its text.
protocol::Transcript transcript_in(std::string_view text) {
  constexpr double step_s = 0.1;
  protocol::Transcript transcript{.language = "en"};
  double start = 0;
  while (text.size() > 3) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 3) {
      const unsigned kind = static_cast<unsigned char>(text[0]);
      start += step_s * (static_cast<unsigned char>(text[1]) % 64);
      const double length = step_s * (static_cast<unsigned char>(text[2]) % 128);
      protocol::Segment segment{.start = start,
                                .end = start + length,
                                .text = protocol::valid_utf8(text.substr(3, end - 3))};
      if (kind % 4 != 0) segment.speaker = std::string(1, static_cast<char>('A' + kind % 4));
      if (kind % 3 == 0) segment.channel = static_cast<int>(kind / 4 % 2);
      if (kind % 2 == 0) segment.words = words_of(segment);
      transcript.segments.push_back(std::move(segment));
      transcript.duration = std::max(transcript.duration, start + length);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return transcript;
}

// A layout shows one cue at a time, each for a while and none after the recording.
void lay_out(const protocol::Transcript& transcript) {
  for (const auto style : styles) {
    const auto options = protocol::with_style({.mark_words = style == SubtitleStyle::bbc}, style);
    for (const char* format : {"srt", "vtt", "ass"}) {
      protocol::write_transcript(format, transcript, options).value();
    }
    if (!options.layout) continue;
    std::int64_t last = 0;
    for (const auto& cue : options.layout(transcript, options)) {
      must(!protocol::strip(cue.text).empty());
      must(protocol::to_milliseconds(cue.start) >= last);
      must(protocol::to_milliseconds(cue.end) > protocol::to_milliseconds(cue.start));
      must(!cue.reply || cue.text.find('\n') == cue.text.npos);
      last = protocol::to_milliseconds(cue.end);
    }
    must(last <= protocol::to_milliseconds(transcript.duration) + 100);
  }
}

}  // namespace

// Reads the text as a file of subtitles, and lays it out as what people said.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_as_file(text);
  lay_out(transcript_in(text));
  return 0;
}
