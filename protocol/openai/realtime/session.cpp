#include "protocol/openai/realtime/session.h"

#include <utility>

namespace protocol::openai::realtime {
namespace {

// Without a model of what a speaker is about to say, the wait depends on whether the text so far
// ends a sentence. All waits are below those after which OpenAI's server gives up waiting (8, 4 and
// 2 s).
TurnDetection turn_detection_of(Eagerness eagerness) {
  TurnDetection turns;
  switch (eagerness) {
    case Eagerness::low:
      turns.silence_duration_ms = 1000;
      turns.unfinished_silence_ms = 3200;
      break;
    case Eagerness::medium:
    case Eagerness::automatic:
      turns.silence_duration_ms = 500;
      turns.unfinished_silence_ms = 1600;
      break;
    case Eagerness::high:
      turns.silence_duration_ms = 250;
      turns.unfinished_silence_ms = 800;
      break;
  }
  return turns;
}

std::optional<TurnDetection> turn_detection_of(const TurnChoice& choice) {
  if (const auto* server_vad = std::get_if<TurnDetection>(&choice)) return *server_vad;
  if (const auto* semantic = std::get_if<SemanticVad>(&choice)) {
    return turn_detection_of(semantic->eagerness);
  }
  return std::nullopt;
}

std::string language_of(const SessionConfig& config, const TranscribeOptions& defaults) {
  if (config.language == any_language) return {};
  if (!config.language.empty()) return config.language;
  if (config.languages.empty()) return defaults.language;
  return config.languages.size() == 1 ? config.languages.front() : config.language;
}

std::string joined(const std::vector<std::string>& keywords) {
  std::string text;
  for (const auto& keyword : keywords) text += (text.empty() ? "" : ", ") + keyword;
  return text;
}

}  // namespace

TurnChoice turns_of(const SessionConfig& config) {
  if (config.turns) return *config.turns;
  const bool is_committed_by_clients =
      config.model == "gpt-live-transcribe" || config.model == "gpt-realtime-whisper";
  if (is_committed_by_clients) return NoTurnDetection{};
  return TurnDetection{};
}

bool tells_speakers(const SessionConfig& config) {
  return config.model == "gpt-4o-transcribe-diarize";
}

LiveSettings live_settings(const SessionConfig& config, const TranscribeOptions& defaults) {
  LiveSettings settings;
  settings.live.turn_detection = turn_detection_of(turns_of(config));
  settings.language = language_of(config, defaults);
  settings.initial_prompt = config.prompt.empty() ? defaults.initial_prompt : config.prompt;
  settings.hotwords = config.keywords.empty() ? defaults.hotwords : joined(config.keywords);
  return settings;
}

TranscribeOptions transcribe_options(const SessionConfig& config, TranscribeOptions defaults) {
  const LiveSettings settings = live_settings(config, defaults);
  TranscribeOptions options = std::move(defaults);
  options.language = settings.language;
  options.initial_prompt = settings.initial_prompt;
  options.hotwords = settings.hotwords;
  if (!config.languages.empty()) options.languages = config.languages;
  options.diarize = options.diarize || tells_speakers(config);
  return options;
}

}  // namespace protocol::openai::realtime
