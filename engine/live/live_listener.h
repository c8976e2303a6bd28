#pragma once

#include <stop_token>
#include <thread>

#include "engine/live/live_turns.h"
#include "engine/live/sound_pace.h"

namespace engine {

// The sound that a LiveListener listens to, and the way it does.
struct LiveInput {
  int pipe = -1;             // of float32 samples (16 kHz, mono), read to its end
  ListenForSpeech listen{};  // empty where Silero VAD is not installed, see LiveTurns
  protocol::LiveOptions live{};
  // The listener calls `tell` on its own thread, while the recogniser tells its events on another.
  protocol::TranscriptSink tell{};
};

// Listens to a live session on a thread of its own, so that turns begin and end in time whatever
// the recogniser is at. While sound that the recogniser has not taken fills LivePieces nothing is
// read, so that the pipe fills and its writer waits. Memory is that of LivePieces and LiveTurns,
// however long the session is.
class LiveListener final : public LiveSource {
 public:
  // `wishes` has to outlive it. A stop request ends take() with `cancelled`.
  LiveListener(LiveInput input, LiveWishes& wishes, std::stop_token stop);

  // Fails also with not_found where turn detection is wanted and nobody listens for speech, and
  // with invalid_option where too many wishes wait for their sound.
  Result<std::vector<live::Piece>> take(std::chrono::milliseconds wait) override {
    return pieces_.take(wait, stop_);
  }
  bool is_ahead() const override { return pace_.is_ahead(); }
  void note_sentence_end(bool ends_sentence) override { turns_.note_sentence_end(ends_sentence); }

 private:
  void run(const std::stop_token& stop);
  Result<void> listen(const std::stop_token& stop);
  Result<void> hold_wishes();

  int pipe_;
  protocol::LiveOptions live_;
  LiveWishes& wishes_;
  std::stop_token stop_;  // of the job
  LivePieces pieces_{};
  LiveTurns turns_;
  SoundPace pace_{};
  std::jthread thread_;  // last: it uses the others
};

}  // namespace engine
