#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/live/live_pieces.h"
#include "engine/live/live_wishes.h"
#include "engine/live/turn_detector.h"
#include "protocol/transcript_event.h"

namespace engine {

// Takes a session's sound, in pieces of any size, and appends a probability of speech for each
// chunk of 512 samples that is complete, as SileroVad::push() does.
using ListenForSpeech = std::function<void(std::span<const float>, std::vector<float>&)>;

// Cuts the sound of a session into turns: pieces of it go to `pieces`, SpeechStarted and
// SpeechStopped to `tell` before the piece that they belong to, and once a second, while nobody
// speaks, how far that is. Sound that nobody was heard in is dropped. One thread uses it. It holds
// at most the padding of a turn and speech that may be too short for one, a second more, and what
// was pushed last.
class LiveTurns {
 public:
  // Without `listen` all sound counts as speech, and nothing is told of it.
  LiveTurns(ListenForSpeech listen, LivePieces& pieces, protocol::TranscriptSink tell);

  // Takes sound in; what it makes of the turns is decided by advance().
  void push(std::span<const float> samples);
  // Does what a client wants at its sample, of which there is sound; where what lies there has been
  // decided, at once. Turn detection without `listen` fails with not_found.
  Result<void> apply(const live::Wish& wish);
  void advance() { advance_to(heard_); }
  // The sound has ended: the turn at hand ends, then Ended comes.
  void finish();

  // Sets when turns begin and end, for the sound behind the last complete chunk.
  Result<void> configure(const protocol::LiveOptions& live);

  // Tells whether the text of the turn at hand ends a sentence so far. Any thread may call it.
  void note_sentence_end(bool ends_sentence) { ends_sentence_ = ends_sentence; }

  std::int64_t heard() const { return heard_; }

 private:
  void advance_to(std::int64_t sample);
  void step(float probability);
  void tell_silence();
  void begin_turn(std::int64_t at, bool is_speech);
  void give(std::int64_t until);
  void end_turn(std::int64_t at, protocol::TurnCause cause);
  void commit(std::int64_t at);
  void clear(std::int64_t at);
  void trim();

  ListenForSpeech listen_;
  LivePieces& pieces_;
  protocol::TranscriptSink tell_;
  TurnDetector detector_;
  std::vector<float> recent_{};         // the sound that is still needed
  std::int64_t recent_begin_ = 0;       // its first sample; this and the following are positions
  std::int64_t heard_ = 0;              // the end of what was pushed
  std::int64_t given_ = 0;              // the end of the sound that was given of the turn at hand
  std::int64_t last_end_ = 0;           // of the turn before
  std::int64_t told_ = 0;               // how far it was said to be
  std::vector<float> probabilities_{};  // of the chunks behind the detector's position
  int turn_ = 0;                        // the turn at hand or the last one
  bool is_open_ = false;                // there is a turn at hand
  std::atomic<bool> ends_sentence_ = false;
};

}  // namespace engine
