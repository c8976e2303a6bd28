#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/live/adapter.h"
#include "protocol/live_options.h"
#include "protocol/transcribe_options.h"

// What a client of OpenAI's Realtime API can set of a transcription session, and what it means for
// the session behind it.
namespace protocol::openai::realtime {

enum class Eagerness { low, medium, high, automatic };

// Only the client's commits end turns.
struct NoTurnDetection {
  friend bool operator==(const NoTurnDetection&, const NoTurnDetection&) = default;
};

// A turn ends sooner where its text ends a sentence.
struct SemanticVad {
  Eagerness eagerness = Eagerness::automatic;

  friend bool operator==(const SemanticVad&, const SemanticVad&) = default;
};

// TurnDetection is `server_vad`, whose names and defaults it has.
using TurnChoice = std::variant<NoTurnDetection, TurnDetection, SemanticVad>;

// These are the values that the field `include` of a session may have.
inline constexpr char included_logprobs[] = "item.input_audio_transcription.logprobs";
inline constexpr char included_tail[] = "scribed.tail";

// Requests auto-detection of the language, even if the server has a default language.
inline constexpr char any_language[] = "auto";

struct SessionConfig {
  live::SoundFormat format{.type = live::SampleType::s16le, .rate = 24'000, .channels = 1};
  std::string model{};                   // as the client calls it
  std::string language{};                // a code, or any_language; empty: the server's default
  std::vector<std::string> languages{};  // codes to choose among; empty: all
  std::string prompt{};
  std::vector<std::string> keywords{};
  std::optional<TurnChoice> turns{};  // unset: the default of the model
  bool include_logprobs = false;
  bool include_tail = false;  // tells what may still change: an extension of this server

  friend bool operator==(const SessionConfig&, const SessionConfig&) = default;
};

// Returns how turns end. Models that OpenAI offers only without turn detection have none where the
// client says nothing; all others have `server_vad`.
TurnChoice turns_of(const SessionConfig& config);

// Returns whether the model is the one of OpenAI's that tells speakers apart.
bool tells_speakers(const SessionConfig& config);

// Both put the client's values over `defaults`, which are the server's.
LiveSettings live_settings(const SessionConfig& config, const TranscribeOptions& defaults);
TranscribeOptions transcribe_options(const SessionConfig& config, TranscribeOptions defaults);

}  // namespace protocol::openai::realtime
