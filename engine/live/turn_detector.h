#pragma once

#include <cstdint>
#include <optional>

#include "engine/vad/silero_vad.h"
#include "protocol/live_events.h"
#include "protocol/live_options.h"

namespace engine {

// A chunk of sound makes a turn begin or end.
struct TurnChange {
  enum class Kind { begins, ends };

  Kind kind = Kind::begins;
  std::int64_t at = 0;  // where the turn begins, with its padding; or where it ends
  protocol::TurnCause cause = protocol::TurnCause::silence;  // of its end

  friend bool operator==(const TurnChange&, const TurnChange&) = default;
};

// Says when somebody speaks, from Silero's probabilities for chunks of 512 samples: with hysteresis
// and shortest lengths as in silero_vad/utils_vad.py `VADIterator`, and turns that have a silence
// of their own to end them, and a greatest length. Positions are samples from the session's begin.
// Speech that is too short to begin a turn is forgotten after 100 ms of silence. Nothing here waits
// or computes, and memory is constant.
class TurnDetector {
 public:
  static constexpr int chunk_samples = SileroVad::chunk_samples;

  // A turn ends at the next short silence when it is this long, and anywhere a minute later.
  static constexpr std::int64_t longest_turn = std::int64_t{15} * 60 * 16'000;

  // Without `options` no silence ends a turn, and faint speech begins one, because text is lost
  // where it does not.
  explicit TurnDetector(const std::optional<protocol::TurnDetection>& options);
  // Changes what holds from the next chunk on.
  void configure(const std::optional<protocol::TurnDetection>& options);

  // Takes the next chunk's probability. `ends_sentence`: the text of the turn ends a sentence so
  // far. Whoever is told of an end calls cut() there.
  std::optional<TurnChange> push(float probability, bool ends_sentence);

  // Forgets the turn at hand, and speech that might become one. The next one begins at `sample` or
  // later, which lies in the next chunk or before.
  void cut(std::int64_t sample);

  bool in_turn() const { return in_turn_; }
  // Returns where the turn at hand begins, or the one that speech too short so far would begin.
  std::optional<std::int64_t> begin() const;
  // Returns where the sound begins that a turn may need which has not begun yet.
  std::int64_t needed_from() const;
  // Returns how many samples before `sample`, which is not far behind the last chunk, are silent.
  std::int64_t silent_until(std::int64_t sample) const;
  // Returns where the next chunk begins.
  std::int64_t position() const { return position_; }

 private:
  struct Limits {
    double threshold = 0;
    double neg_threshold = 0;
    std::int64_t padding = 0;  // this and the following are samples
    std::int64_t min_speech = 0;
    std::optional<std::int64_t> silence{};
    std::int64_t unfinished_silence = 0;
  };

  void hear(float probability);
  std::optional<TurnChange> begin_turn();
  std::optional<TurnChange> end_turn(bool ends_sentence);

  Limits limits_;
  std::int64_t position_ = 0;
  std::int64_t floor_ = 0;                       // the last turn's end: nothing begins before
  std::optional<std::int64_t> speech_begin_{};   // of the turn, or of what might become one
  std::optional<std::int64_t> silence_begin_{};  // of the silence since, where there is one
  std::int64_t turn_begin_ = 0;
  bool in_turn_ = false;
};

}  // namespace engine
