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

}  // namespace

std::string stream_end(const protocol::Transcript& transcript, const AnswerFormat& format,
                       const openai::Json& logprobs) {
  if (format.name == "verbose_json") {
    return openai::verbose_done_text(transcript, english_name(transcript), format.parts,
                                     format.channel_labels);
  }
  auto event = openai::done_event(transcript, format.model);
  if (format.parts.logprobs) event["logprobs"] = logprobs;
  return protocol::json::dump(event);
}

Result<Response> transcript_answer(const protocol::Transcript& transcript,
                                   const AnswerFormat& format) {
  if (format.name == "json") {
    auto body = openai::short_body(transcript, format.model);
    if (format.parts.logprobs) body["logprobs"] = openai::logprobs(transcript.segments);
    return Response{.body = protocol::json::dump(body)};
  }
  if (format.name == "verbose_json") {
    return Response{.body = openai::verbose_text(transcript, english_name(transcript), format.parts,
                                                 format.channel_labels)};
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
