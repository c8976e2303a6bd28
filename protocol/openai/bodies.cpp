#include "protocol/openai/bodies.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "protocol/json_numbers.h"
#include "protocol/json_pieces.h"
#include "protocol/speakers.h"
#include "protocol/transcript_fields.h"

namespace protocol::openai {
namespace {

using json::score;
using json::seconds;

constexpr char done_type[] = "transcript.text.done";

Json body_of(const Segment& segment, std::span<const std::string> channel_labels) {
  Json body{{"id", segment.id},
            {"seek", segment.seek},
            {"start", seconds(segment.start)},
            {"end", seconds(segment.end)},
            {"text", segment.text},
            {"tokens", segment.tokens},
            {"temperature", score(segment.temperature)},
            {"avg_logprob", score(segment.avg_logprob)},
            {"compression_ratio", score(segment.compression_ratio)},
            {"no_speech_prob", score(segment.no_speech_prob)}};
  if (!segment.language.empty()) body["language"] = segment.language;
  if (segment.encoder_window) body["encoder_window"] = json::name_of(*segment.encoder_window);
  if (segment.channel) body["channel"] = *segment.channel;
  const std::string speaker = speaker_of(segment, channel_labels);
  if (!speaker.empty()) body["speaker"] = speaker;
  return body;
}

// Returns "seg_001" for the first segment.
std::string diarized_id(const Segment& segment) {
  const std::string number = std::to_string(segment.id + 1);
  return "seg_" + std::string(number.size() < 3 ? 3 - number.size() : 0, '0') + number;
}

std::string without_leading_space(const std::string& text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

Json null_if_empty(std::string_view text) {
  return text.empty() ? Json() : Json(text);
}

// Returns the languages of the segments, each once, in the order of their first words.
Json languages_of(const Transcript& transcript) {
  std::vector<std::string> codes;
  const auto add = [&codes](const std::string& code) {
    if (!code.empty() && std::ranges::find(codes, code) == codes.end()) codes.push_back(code);
  };
  for (const auto& segment : transcript.segments) add(segment.language);
  if (codes.empty()) add(transcript.language);
  Json languages = Json::array();
  for (const auto& code : codes) languages.push_back({{"code", code}});
  return languages;
}

}  // namespace

std::string plain_text(const Transcript& transcript) {
  return without_leading_space(transcript.text);
}

Json usage(double duration) {
  return {{"type", "duration"}, {"seconds", static_cast<long long>(std::ceil(seconds(duration)))}};
}

Json token_usage(const Transcript& transcript) {
  constexpr double positions_per_second = 50;
  const auto heard = std::llround(seconds(transcript.duration) * positions_per_second);
  std::size_t told = 0;
  for (const auto& segment : transcript.segments) told += segment.tokens.size();
  return {{"type", "tokens"},
          {"input_tokens", heard},
          {"input_token_details", {{"text_tokens", 0}, {"audio_tokens", heard}}},
          {"output_tokens", told},
          {"total_tokens", heard + static_cast<long long>(told)}};
}

namespace {

void add_words(json::ObjectText& body, const Transcript& transcript) {
  body.begin_list("words");
  for (const auto& segment : transcript.segments) {
    for (const auto& word : segment.words) {
      body.add_item({{"word", without_leading_space(word.word)},
                     {"start", seconds(word.start)},
                     {"end", seconds(word.end)},
                     {"probability", score(word.probability)}});
    }
  }
  body.end_list();
}

void add_verbose(json::ObjectText& body, const Transcript& transcript, std::string_view language,
                 VerboseParts parts, std::span<const std::string> channel_labels,
                 ModelParts model) {
  body.add("task", transcript.task);
  body.add("language", language);
  if (model.languages) body.add("languages", languages_of(transcript));
  body.add("duration", seconds(transcript.duration));
  body.add("text", plain_text(transcript));
  if (parts.segments) {
    body.begin_list("segments");
    for (const auto& one : transcript.segments) body.add_item(body_of(one, channel_labels));
    body.end_list();
  }
  if (parts.words) add_words(body, transcript);
}

void add_short(json::ObjectText& body, const Transcript& transcript, ModelParts model) {
  body.add("text", plain_text(transcript));
  if (model.languages) body.add("languages", languages_of(transcript));
}

void add_rest(json::ObjectText& body, const Transcript& transcript, VerboseParts parts) {
  if (!transcript.warnings.empty()) body.add("warnings", transcript.warnings);
  if (parts.logprobs) body.add("logprobs", logprobs(transcript.segments));
}

}  // namespace

std::string short_text(const Transcript& transcript, VerboseParts parts, ModelParts model) {
  json::ObjectText body(json::compact_style);
  add_short(body, transcript, model);
  body.add("usage", model.tokens ? token_usage(transcript) : usage(transcript.duration));
  if (parts.logprobs) body.add("logprobs", logprobs(transcript.segments));
  return body.take();
}

std::string done_text(const Transcript& transcript, VerboseParts parts, ModelParts model,
                      const Json& logprobs) {
  json::ObjectText body(json::compact_style);
  body.add("type", done_type);
  add_short(body, transcript, model);
  body.add("usage", token_usage(transcript));
  if (!transcript.warnings.empty()) body.add("warnings", transcript.warnings);
  if (parts.logprobs) body.add("logprobs", logprobs);
  return body.take();
}

std::string verbose_text(const Transcript& transcript, std::string_view language,
                         VerboseParts parts, std::span<const std::string> channel_labels,
                         ModelParts model) {
  json::ObjectText body(json::compact_style);
  add_verbose(body, transcript, language, parts, channel_labels, model);
  body.add("usage", usage(transcript.duration));
  add_rest(body, transcript, parts);
  return body.take();
}

std::string verbose_done_text(const Transcript& transcript, std::string_view language,
                              VerboseParts parts, std::span<const std::string> channel_labels,
                              ModelParts model) {
  json::ObjectText body(json::compact_style);
  body.add("type", done_type);
  add_verbose(body, transcript, language, parts, channel_labels, model);
  body.add("usage", token_usage(transcript));
  add_rest(body, transcript, parts);
  return body.take();
}

Json segment_event(const Segment& segment) {
  return {{"type", "transcript.text.segment"},
          {"id", diarized_id(segment)},
          {"start", seconds(segment.start)},
          {"end", seconds(segment.end)},
          {"text", without_leading_space(segment.text)},
          {"speaker", segment.speaker}};
}

std::string diarized_text(const Transcript& transcript) {
  json::ObjectText body(json::compact_style);
  body.add("task", "transcribe");
  body.add("duration", seconds(transcript.duration));
  body.add("text", plain_text(transcript));
  body.begin_list("segments");
  for (const auto& segment : transcript.segments) body.add_item(segment_event(segment));
  body.end_list();
  body.add("usage", usage(transcript.duration));
  return body.take();
}

Json logprobs(std::span<const Segment> segments) {
  Json tokens = Json::array();
  for (const auto& segment : segments) {
    for (const auto& token : segment.token_logprobs) {
      tokens.push_back({{"token", std::string(token.bytes.begin(), token.bytes.end())},
                        {"logprob", score(token.logprob)},
                        {"bytes", token.bytes}});
    }
  }
  return tokens;
}

Json delta_event(std::string_view delta) {
  return {{"type", "transcript.text.delta"}, {"delta", delta}};
}

Json error_body(std::string_view message, std::string_view type, std::string_view parameter,
                std::string_view code) {
  return {{"error",
           {{"message", message},
            {"type", type},
            {"param", null_if_empty(parameter)},
            {"code", null_if_empty(code)}}}};
}

Json model_body(const Model& model) {
  return {
      {"id", model.id}, {"object", "model"}, {"created", model.created}, {"owned_by", "scribed"}};
}

Json model_list(const std::vector<Model>& models) {
  Json data = Json::array();
  for (const auto& model : models) data.push_back(model_body(model));
  return {{"object", "list"}, {"data", std::move(data)}};
}

}  // namespace protocol::openai
