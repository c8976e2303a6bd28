#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <variant>
#include <vector>

#include "engine/error.h"
#include "protocol/live_events.h"
#include "protocol/live_options.h"

namespace engine {

// The sound of a live session as its recogniser takes it: in pieces, with the turns marked in it.
// Positions are samples (16 kHz) from the session's begin. Sound between turns is not given, but
// for the padding before speech.
namespace live {

struct TurnBegan {
  int turn = 0;
  std::int64_t begin = 0;  // with its padding, as clients are told
  bool is_speech = true;   // false: sound that nobody was heard in, of a client that ends its turns
  // Its sound, which the next Sound continues, begins a little before it, so that the first word is
  // heard whole, but never before the end of the turn before.
  std::int64_t sound_begin = begin;
};

struct Sound {
  int turn = 0;
  std::int64_t begin = 0;
  std::vector<float> samples{};
  // So many samples at the end of what was given of this turn were silent.
  std::int64_t silent = 0;
};

struct TurnEnded {
  int turn = 0;
  std::int64_t end = 0;  // of its sound
  protocol::TurnCause cause = protocol::TurnCause::silence;
};

// The turn at hand is forgotten, with what was given of it.
struct TurnDropped {
  int turn = 0;
};

struct Configured {
  protocol::LiveSettings settings{};
};

struct Ended {
  std::int64_t samples = 0;  // of the session
};

using Piece = std::variant<TurnBegan, Sound, TurnEnded, TurnDropped, Configured, Ended>;

// Appends a piece, and joins sound to that of the same turn before it.
void append(std::vector<Piece>& pieces, Piece piece);

}  // namespace live

// A recogniser takes the sound of a session from it. LiveListener is the one that there is.
class LiveSource {
 public:
  virtual ~LiveSource() = default;

  // Waits until there is a piece, or until `wait` is over; returns all that there are, in order,
  // with neighbouring Sounds of a turn joined. Ended comes last and once. Errors: cancelled, or
  // that of the pipe.
  virtual Result<std::vector<live::Piece>> take(std::chrono::milliseconds wait) = 0;

  // Returns whether the sound comes faster than people speak (sound_pace.h).
  virtual bool is_ahead() const = 0;

  // Tells whether the text of the turn at hand ends a sentence so far, for turn detection.
  virtual void note_sentence_end(bool ends_sentence) = 0;
};

}  // namespace engine
