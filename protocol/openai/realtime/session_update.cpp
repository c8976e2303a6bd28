#include "protocol/openai/realtime/session_update.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "protocol/languages.h"
#include "protocol/openai/realtime/field_values.h"

namespace protocol::openai::realtime {
namespace {

using Given = nlohmann::json;
using live::SampleType;

constexpr int least_rate = 8'000;
constexpr int most_rate = 48'000;
constexpr int most_wait_ms = 10'000;
// What a model can take of a prompt, or of all keywords together, has fewer bytes.
constexpr std::size_t most_text = 8192;
constexpr std::size_t most_name = 255;
constexpr std::size_t most_values = 100;

// Clients also send codes with a region ("en-US"), and "auto" for auto-detection.
Checked<std::string> read_language(const Given& given, const std::string& path) {
  const auto text = read_text(given, path, most_name);
  if (!text || text->empty()) return text;
  if (*text == any_language) return text;
  const auto code = language_code(*text);
  if (code) return std::string(*code);
  const auto of_region = language_code(text->substr(0, text->find_first_of("-_")));
  if (of_region) return std::string(*of_region);
  return wrong(path, "There is no language of this name. Use a code such as en, or auto.");
}

Problem read_transcription(const Given& given, const std::string& path, SessionConfig& next) {
  if (given.is_null()) {
    next.language.clear();
    next.languages.clear();
    next.prompt.clear();
    next.keywords.clear();
    return {};
  }
  if (!given.is_object()) return wrong(path, "This must be an object or null.");
  if (const Given* model = find(given, "model"); model && !model->is_null()) {
    if (auto problem = take(read_text(*model, path + ".model", most_name), next.model)) {
      return problem;
    }
  }
  if (const Given* language = find(given, "language")) {
    if (auto problem = take(read_language(*language, path + ".language"), next.language)) {
      return problem;
    }
  }
  if (const Given* languages = find(given, "languages")) {
    const auto read = [](const Given& one, const std::string& at) {
      return read_language(one, at);
    };
    auto list = read_list(*languages, path + ".languages", most_values, read);
    if (auto problem = take(std::move(list), next.languages)) return problem;
    const bool any = std::ranges::find(next.languages, any_language) != next.languages.end();
    if (any) next.languages.clear();
  }
  if (const Given* prompt = find(given, "prompt")) {
    if (auto problem = take(read_text(*prompt, path + ".prompt", most_text), next.prompt)) {
      return problem;
    }
  }
  if (const Given* keywords = find(given, "keywords")) {
    const auto read = [](const Given& one, const std::string& at) {
      return read_text(one, at, most_name);
    };
    auto list = read_list(*keywords, path + ".keywords", most_values, read);
    if (auto problem = take(std::move(list), next.keywords)) return problem;
  }
  return {};
}

Checked<TurnChoice> read_server_vad(const Given& given, const std::string& path,
                                    const TurnChoice& before) {
  const auto* same = std::get_if<TurnDetection>(&before);
  TurnDetection turns = same ? *same : TurnDetection{};
  if (const Given* threshold = find(given, "threshold")) {
    const auto read = read_number(*threshold, path + ".threshold", 0, 1);
    if (auto problem = take(read, turns.threshold)) return *problem;
  }
  if (const Given* padding = find(given, "prefix_padding_ms")) {
    const auto read = read_whole(*padding, path + ".prefix_padding_ms", 0, most_wait_ms);
    if (auto problem = take(read, turns.prefix_padding_ms)) return *problem;
  }
  if (const Given* silence = find(given, "silence_duration_ms")) {
    const auto read = read_whole(*silence, path + ".silence_duration_ms", 0, most_wait_ms);
    if (auto problem = take(read, turns.silence_duration_ms)) return *problem;
  }
  return TurnChoice{turns};
}

Checked<TurnChoice> read_semantic_vad(const Given& given, const std::string& path,
                                      const TurnChoice& before) {
  const auto* same = std::get_if<SemanticVad>(&before);
  SemanticVad semantic = same ? *same : SemanticVad{};
  const Given* eagerness = find(given, "eagerness");
  if (!eagerness) return TurnChoice{semantic};
  constexpr std::array names{
      std::pair{"low", Eagerness::low}, std::pair{"medium", Eagerness::medium},
      std::pair{"high", Eagerness::high}, std::pair{"auto", Eagerness::automatic}};
  for (const auto& [name, value] : names) {
    if (*eagerness == name) return TurnChoice{SemanticVad{value}};
  }
  return wrong(path + ".eagerness", "This must be \"low\", \"medium\", \"high\" or \"auto\".");
}

// Parts of a choice keep their values where the new one is of the same type.
Checked<TurnChoice> read_turns(const Given& given, const std::string& path,
                               const TurnChoice& before) {
  if (given.is_null()) return TurnChoice{NoTurnDetection{}};
  if (!given.is_object()) return wrong(path, "This must be an object or null.");
  const Given* type = find(given, "type");
  const bool stays_semantic = !type && std::holds_alternative<SemanticVad>(before);
  if (stays_semantic || (type && *type == "semantic_vad")) {
    return read_semantic_vad(given, path, before);
  }
  if (!type || *type == "server_vad") return read_server_vad(given, path, before);
  return wrong(path + ".type", "This must be \"server_vad\" or \"semantic_vad\".");
}

// Reads {"type": "audio/pcm", "rate": 24000}.
Checked<live::SoundFormat> read_format(const Given& given, const std::string& path) {
  if (!given.is_object()) return wrong(path, "This must be an object.");
  const Given* type = find(given, "type");
  live::SoundFormat format{.type = SampleType::s16le, .rate = 24'000, .channels = 1};
  if (type && *type == "audio/pcmu") {
    format.type = SampleType::mulaw;
  } else if (type && *type == "audio/pcma") {
    format.type = SampleType::alaw;
  } else if (type && *type != "audio/pcm") {
    return wrong(path + ".type", "This must be \"audio/pcm\", \"audio/pcmu\" or \"audio/pcma\".");
  }
  if (format.type != SampleType::s16le) format.rate = 8'000;
  if (const Given* rate = find(given, "rate"); rate && !rate->is_null()) {
    const auto read = read_whole(*rate, path + ".rate", least_rate, most_rate);
    if (auto problem = take(read, format.rate)) return *problem;
  }
  return format;
}

Checked<live::SoundFormat> read_flat_format(const Given& given, const std::string& path) {
  if (given == "pcm16") return live::SoundFormat{SampleType::s16le, 24'000, 1};
  if (given == "g711_ulaw") return live::SoundFormat{SampleType::mulaw, 8'000, 1};
  if (given == "g711_alaw") return live::SoundFormat{SampleType::alaw, 8'000, 1};
  return wrong(path, "This must be \"pcm16\", \"g711_ulaw\" or \"g711_alaw\".");
}

Problem read_include(const Given& given, const std::string& path, SessionConfig& next) {
  next.include_logprobs = next.include_tail = false;
  if (given.is_null()) return {};
  if (!given.is_array()) return wrong(path, "This must be a list or null.");
  for (const Given& one : given) {
    if (one == included_logprobs) next.include_logprobs = true;
    if (one == included_tail) next.include_tail = true;
  }
  return {};
}

Problem take_turns(const Given* given, const std::string& path, SessionConfig& next) {
  if (!given) return {};
  auto read = read_turns(*given, path, turns_of(next));
  if (!read) return read.error();
  next.turns = *std::move(read);
  return {};
}

Problem read_nested(const Given& session, const std::string& prefix, SessionConfig& next) {
  const Given* audio = find(session, "audio");
  if (!audio) return {};
  if (!audio->is_object()) return wrong(prefix + "audio", "This must be an object.");
  const Given* input = find(*audio, "input");
  if (!input) return {};
  const std::string path = prefix + "audio.input";
  if (!input->is_object()) return wrong(path, "This must be an object.");
  if (const Given* format = find(*input, "format"); format && !format->is_null()) {
    if (auto problem = take(read_format(*format, path + ".format"), next.format)) return problem;
  }
  if (const Given* transcription = find(*input, "transcription")) {
    auto problem = read_transcription(*transcription, path + ".transcription", next);
    if (problem) return problem;
  }
  return take_turns(find(*input, "turn_detection"), path + ".turn_detection", next);
}

Problem read_flat(const Given& session, const std::string& prefix, SessionConfig& next) {
  if (const Given* format = find(session, "input_audio_format"); format && !format->is_null()) {
    auto read = read_flat_format(*format, prefix + "input_audio_format");
    if (auto problem = take(std::move(read), next.format)) return problem;
  }
  if (const Given* transcription = find(session, "input_audio_transcription")) {
    auto problem = read_transcription(*transcription, prefix + "input_audio_transcription", next);
    if (problem) return problem;
  }
  return take_turns(find(session, "turn_detection"), prefix + "turn_detection", next);
}

}  // namespace

bool is_flat(const Given& session) {
  constexpr std::array names{"input_audio_format", "input_audio_transcription",
                             "input_audio_noise_reduction", "turn_detection", "modalities"};
  return session.is_object() && std::ranges::any_of(names, [&session](const char* name) {
           return session.contains(name);
         });
}

Checked<SessionConfig> updated(const SessionConfig& before, const Given& session,
                               const std::string& path) {
  if (!session.is_object()) return wrong(path, "This must be an object.");
  const std::string prefix = path.empty() ? "" : path + ".";
  SessionConfig next = before;
  auto problem =
      is_flat(session) ? read_flat(session, prefix, next) : read_nested(session, prefix, next);
  if (problem) return *std::move(problem);
  if (const Given* include = find(session, "include")) {
    if (auto wrong_list = read_include(*include, prefix + "include", next)) return *wrong_list;
  }
  return next;
}

}  // namespace protocol::openai::realtime
