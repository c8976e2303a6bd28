#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "engine/live/live_source.h"

namespace engine {

// Passes the pieces of a session on, and keeps how each turn begins for whoever tells its speaker
// when it has ended. It is used on the recogniser's thread.
class TurnSounds final : public LiveSource {
 public:
  // `source` has to outlive it.
  TurnSounds(LiveSource& source, std::size_t samples_of_a_turn)
      : source_(source), most_(samples_of_a_turn) {}

  Result<std::vector<live::Piece>> take(std::chrono::milliseconds wait) override;
  bool is_ahead() const override { return source_.is_ahead(); }
  void note_sentence_end(bool ends_sentence) override { source_.note_sentence_end(ends_sentence); }

  // Returns the kept sound of a turn, and forgets it with that of all turns before.
  std::vector<float> give_up(int turn);

 private:
  void keep(const live::Sound& sound);

  LiveSource& source_;
  std::size_t most_;
  std::map<int, std::vector<float>> sounds_{};  // by turn
};

}  // namespace engine
