#include "protocol/openai/realtime/session_json.h"

#include <utility>
#include <variant>

#include "protocol/json_text.h"

namespace protocol::openai::realtime {
namespace {

constexpr char object_type[] = "realtime.transcription_session";

Json format_json(const live::SoundFormat& format) {
  const bool is_pcm = format.type == live::SampleType::s16le;
  const bool is_mulaw = format.type == live::SampleType::mulaw;
  const char* type = is_pcm ? "audio/pcm" : is_mulaw ? "audio/pcmu" : "audio/pcma";
  Json body{{"type", type}};
  if (is_pcm || format.rate != 8'000) body["rate"] = format.rate;
  return body;
}

const char* flat_format(const live::SoundFormat& format) {
  if (format.type == live::SampleType::s16le) return "pcm16";
  return format.type == live::SampleType::mulaw ? "g711_ulaw" : "g711_alaw";
}

Json transcription_json(const SessionConfig& config) {
  Json body{{"model", config.model},
            {"language", config.language.empty() ? Json() : Json(config.language)},
            {"prompt", config.prompt}};
  if (!config.languages.empty()) body["languages"] = config.languages;
  if (!config.keywords.empty()) body["keywords"] = config.keywords;
  return body;
}

const char* name_of(Eagerness eagerness) {
  switch (eagerness) {
    case Eagerness::low:
      return "low";
    case Eagerness::medium:
      return "medium";
    case Eagerness::high:
      return "high";
    case Eagerness::automatic:
      break;
  }
  return "auto";
}

Json turns_json(const SessionConfig& config) {
  const TurnChoice choice = turns_of(config);
  if (const auto* server_vad = std::get_if<TurnDetection>(&choice)) {
    return {{"type", "server_vad"},
            {"threshold", server_vad->threshold},
            {"prefix_padding_ms", server_vad->prefix_padding_ms},
            {"silence_duration_ms", server_vad->silence_duration_ms}};
  }
  if (const auto* semantic = std::get_if<SemanticVad>(&choice)) {
    return {{"type", "semantic_vad"}, {"eagerness", name_of(semantic->eagerness)}};
  }
  return nullptr;
}

Json include_json(const SessionConfig& config) {
  Json list = Json::array();
  if (config.include_logprobs) list.push_back(included_logprobs);
  if (config.include_tail) list.push_back(included_tail);
  return list.empty() ? Json() : list;
}

}  // namespace

Json nested_session(const SessionConfig& config, const SessionFacts& facts) {
  Json input{{"format", format_json(config.format)},
             {"transcription", transcription_json(config)},
             {"noise_reduction", nullptr},
             {"turn_detection", turns_json(config)}};
  Json body{{"type", "transcription"},
            {"object", object_type},
            {"id", facts.id},
            {"expires_at", facts.expires_at}};
  body["audio"]["input"] = std::move(input);
  body["include"] = include_json(config);
  return body;
}

Json flat_session(const SessionConfig& config, const SessionFacts& facts) {
  return {{"object", object_type},
          {"id", facts.id},
          {"expires_at", facts.expires_at},
          {"input_audio_format", flat_format(config.format)},
          {"input_audio_transcription", transcription_json(config)},
          {"input_audio_noise_reduction", nullptr},
          {"turn_detection", turns_json(config)},
          {"include", include_json(config)},
          {"client_secret", nullptr}};
}

std::string stored_session(const SessionConfig& config) {
  Json input{{"format", format_json(config.format)}, {"transcription", transcription_json(config)}};
  Json& transcription = input["transcription"];
  for (const char* text : {"model", "language", "prompt"}) {
    if (transcription[text].is_null() || transcription[text] == "") transcription.erase(text);
  }
  if (config.turns) input["turn_detection"] = turns_json(config);
  Json body{{"type", "transcription"}};
  body["audio"]["input"] = std::move(input);
  Json include = include_json(config);
  if (!include.is_null()) body["include"] = std::move(include);
  return protocol::json::dump(body);
}

}  // namespace protocol::openai::realtime
