#include "protocol/writers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/format_writers.h"
#include "protocol/turn_writers.h"

namespace protocol {
namespace {

constexpr std::array<std::string_view, 9> with_jsonl{"txt",  "srt", "vtt",  "ass",  "tsv",
                                                     "json", "lrc", "rttm", "jsonl"};
constexpr std::span formats = std::span(with_jsonl).first<8>();

// Returns nullptr if there is no such format with a line or an object for each segment.
std::unique_ptr<Writer> plain_writer(std::string_view format) {
  if (format == "txt") return make_txt_writer();
  if (format == "tsv") return make_tsv_writer();
  if (format == "json") return make_json_writer();
  if (format == "lrc") return make_lrc_writer();
  return nullptr;
}

}  // namespace

std::span<const std::string_view> writer_formats() {
  return formats;
}

std::span<const std::string_view> live_formats() {
  return with_jsonl;
}

Result<std::unique_ptr<Writer>> make_writer(std::string_view format, const WriterOptions& options) {
  if (format == "rttm") return make_turn_writer(format, options.recording);
  if (format == "srt") return make_srt_writer(options);
  if (format == "vtt") return make_vtt_writer(options);
  if (format == "ass") return make_ass_writer(options);
  if (auto writer = plain_writer(format)) {
    const auto place = format == "json" ? SpeakerPlace::field : SpeakerPlace::text;
    return name_speakers(std::move(writer), options.channel_labels, place);
  }
  return Error{unknown_format, "unknown transcript format '" + std::string(format) + "'",
               "use txt, srt, vtt, ass, tsv, json, lrc or rttm"};
}

Result<std::unique_ptr<Writer>> make_live_writer(std::string_view format,
                                                 const WriterOptions& options) {
  if (format == "txt") return make_live_txt_writer();
  if (format == "jsonl") return make_live_jsonl_writer();
  return make_writer(format, options);
}

namespace {

// Returns the segments in the order in which a format has them: cues begin one after the other,
// also if two channels speak at the same time.
std::vector<const Segment*> in_order(std::span<const Segment> segments, std::string_view format) {
  std::vector<const Segment*> ordered;
  for (const Segment& segment : segments) ordered.push_back(&segment);
  if (format == "srt" || format == "vtt" || format == "ass") {
    std::ranges::stable_sort(ordered, {}, &Segment::start);
  }
  return ordered;
}

}  // namespace

Result<std::string> write_transcript(std::string_view format, const Transcript& transcript,
                                     const WriterOptions& options) {
  auto writer = make_writer(format, options);
  if (writer.has_error()) return writer.error();
  const bool words =
      std::ranges::any_of(transcript.segments, [](const Segment& s) { return !s.words.empty(); });
  std::string text = (*writer)->begin({.words = words});
  for (const Segment* segment : in_order(transcript.segments, format)) {
    text += (*writer)->segment(*segment);
  }
  return text + (*writer)->finish(transcript);
}

}  // namespace protocol
