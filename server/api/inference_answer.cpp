#include "server/api/inference_answer.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/error_text.h"
#include "protocol/json_numbers.h"
#include "protocol/json_text.h"
#include "protocol/languages.h"
#include "protocol/writers.h"
#include "server/http/error_response.h"

namespace server {
namespace {

using InferenceJson = nlohmann::ordered_json;
using protocol::json::score;
using protocol::json::seconds;

std::string lines_of(const protocol::Transcript& transcript) {
  std::string lines;
  for (const auto& segment : transcript.segments) lines += segment.text + "\n";
  return lines;
}

InferenceJson words_of(const protocol::Segment& segment) {
  InferenceJson words = InferenceJson::array();
  for (const auto& word : segment.words) {
    words.push_back({{"word", word.word},
                     {"start", seconds(word.start)},
                     {"end", seconds(word.end)},
                     {"t_dtw", -1},
                     {"probability", score(word.probability)}});
  }
  return words;
}

InferenceJson inference_segment(const protocol::Segment& segment) {
  InferenceJson body{{"id", segment.id},
                     {"text", segment.text},
                     {"start", seconds(segment.start)},
                     {"end", seconds(segment.end)},
                     {"tokens", segment.tokens}};
  if (!segment.words.empty()) body["words"] = words_of(segment);
  body["temperature"] = score(segment.temperature);
  body["avg_logprob"] = score(segment.avg_logprob);
  body["no_speech_prob"] = score(segment.no_speech_prob);
  if (!segment.speaker.empty()) body["speaker"] = segment.speaker;
  return body;
}

InferenceJson verbose(const protocol::Transcript& transcript) {
  const auto name = protocol::language_name(transcript.language);
  InferenceJson segments = InferenceJson::array();
  for (const auto& segment : transcript.segments) segments.push_back(inference_segment(segment));
  InferenceJson body{{"task", transcript.task},
                     {"language", name},
                     {"duration", seconds(transcript.duration)},
                     {"text", lines_of(transcript)},
                     {"segments", std::move(segments)},
                     {"detected_language", name}};
  if (transcript.languages.empty()) return body;
  body["detected_language_probability"] = score(transcript.languages.front().probability);
  for (const auto& [code, probability] : transcript.languages) {
    body["language_probabilities"][code] = score(probability);
  }
  return body;
}

}  // namespace

Result<Response> inference_answer(const protocol::Transcript& transcript, const std::string& format,
                                  const protocol::WriterOptions& options) {
  if (format == "verbose_json") return Response{.body = protocol::json::dump(verbose(transcript))};
  if (format == "text") {
    return Response{.body = lines_of(transcript), .content_type = "text/plain; charset=utf-8"};
  }
  if (format == "srt" || format == "vtt") {
    auto text = protocol::write_transcript(format, transcript, options);
    if (!text) return text.error();
    const char* type = format == "srt" ? "application/x-subrip" : "text/vtt; charset=utf-8";
    return Response{.body = *std::move(text), .content_type = type};
  }
  return Response{.body = protocol::json::dump(InferenceJson{{"text", lines_of(transcript)}})};
}

Response inference_error(const Error& error) {
  Response response = error_response(error);
  response.body = protocol::json::dump(InferenceJson{{"error", protocol::error_text(error)}});
  return response;
}

}  // namespace server
