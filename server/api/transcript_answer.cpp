#include "server/api/transcript_answer.h"

#include <string_view>
#include <utility>

#include "protocol/json_text.h"
#include "protocol/languages.h"
#include "protocol/subtitles/layout.h"
#include "protocol/writers.h"

namespace server {
namespace {

namespace openai = protocol::openai;

constexpr char plain_type[] = "text/plain; charset=utf-8";

std::string_view english_name(const protocol::Transcript& transcript) {
  const bool is_translation = transcript.task == "translate";
  return is_translation ? "english" : protocol::language_name(transcript.language);
}

// json with times is verbose_json: libraries that check their types tell the two apart by the
// segments.
bool is_verbose(const AnswerFormat& format) {
  if (format.name == "verbose_json") return true;
  return format.name == "json" && (format.parts.segments || format.parts.words);
}

}  // namespace

std::string stream_end(const protocol::Transcript& transcript, const AnswerFormat& format,
                       const openai::Json& logprobs) {
  if (is_verbose(format)) {
    return openai::verbose_done_text(transcript, english_name(transcript), format.parts,
                                     format.channel_labels, format.model);
  }
  return openai::done_text(transcript, format.parts, format.model, logprobs);
}

Result<Response> transcript_answer(const protocol::Transcript& transcript,
                                   const AnswerFormat& format) {
  if (is_verbose(format)) {
    return Response{.body = openai::verbose_text(transcript, english_name(transcript), format.parts,
                                                 format.channel_labels, format.model)};
  }
  if (format.name == "json") {
    return Response{.body = openai::short_text(transcript, format.parts, format.model)};
  }
  if (format.name == "diarized_json") return Response{.body = openai::diarized_text(transcript)};
  if (format.name == "text" && !format.diarized && !format.split_channels) {
    return Response{.body = openai::plain_text(transcript) + "\n", .content_type = plain_type};
  }
  auto options = protocol::with_style(format.lines, format.subtitle_style);
  options.channel_labels = format.channel_labels;
  auto text =
      protocol::write_transcript(format.name == "text" ? "txt" : format.name, transcript, options);
  if (!text) return text.error();
  const char* type = format.name == "vtt" ? "text/vtt; charset=utf-8" : plain_type;
  return Response{.body = *std::move(text), .content_type = type};
}

}  // namespace server
