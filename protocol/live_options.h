#pragma once

#include <optional>
#include <string>

namespace protocol {

// When a turn, which is what somebody says between two silences, begins and ends. Names and
// defaults are those of `server_vad` in OpenAI's Realtime API; the probabilities are Silero VAD's.
struct TurnDetection {
  double threshold = 0.5;         // speech begins at this probability, and ends 0.15 below it
  int prefix_padding_ms = 300;    // sound before the speech that belongs to its turn
  int silence_duration_ms = 500;  // so much silence ends a turn
  // The silence that ends a turn whose text does not end a sentence so far; unset: the same.
  std::optional<int> unfinished_silence_ms{};
  int min_speech_duration_ms = 100;  // shorter speech begins no turn

  friend bool operator==(const TurnDetection&, const TurnDetection&) = default;
};

// How a recording that goes on is transcribed, beside its TranscribeOptions.
struct LiveOptions {
  // Unset: only the client's commits end turns, and all sound belongs to one.
  std::optional<TurnDetection> turn_detection = TurnDetection{};
  // The text of a turn is decoded once more at its end, with the options of a whole recording.
  // TurnEnded tells that text, which may differ from the joined words.
  bool second_look = false;

  friend bool operator==(const LiveOptions&, const LiveOptions&) = default;
};

// The part of the options that may change while the sound goes on.
struct LiveSettings {
  LiveOptions live{};
  std::string language{};  // empty: detect it
  std::string initial_prompt{};
  std::string hotwords{};

  friend bool operator==(const LiveSettings&, const LiveSettings&) = default;
};

}  // namespace protocol
