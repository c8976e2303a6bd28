#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/whisper/transcriber/live_align.h"

namespace engine {

// Keeps the words of a turn's buffer. What is committed is never taken back.
class LiveWords {
 public:
  // Says that another turn begins, whose words follow those that are committed, and begin there or
  // later. A sign behind those is forgotten: a speaker's pause ends a turn, and need not end a
  // sentence.
  void begin_turn(double begin);
  // Takes what a pass has heard behind the committed words.
  void hear(std::vector<HeardWord> heard) { before_ = std::exchange(unsure_, std::move(heard)); }
  // Commits the first of the unsure words, and returns them. Their times do not go back.
  std::vector<HeardWord> commit(std::size_t count);

  const std::vector<HeardWord>& committed() const { return committed_; }
  // Return what the latest pass, and the one before it, have heard behind the committed words.
  const std::vector<HeardWord>& unsure() const { return unsure_; }
  const std::vector<HeardWord>& before() const { return before_; }
  // Return when the last committed word ended, or the turn began, and when the last one ended that
  // was left behind.
  double committed_end() const { return committed_end_; }
  double left_end() const { return left_end_; }
  // Returns how many of the unsure words have ended by that time.
  std::size_t ended_by(double time) const;

  // Says that the buffer begins at `time` now. Returns the committed words before it, which are
  // forgotten.
  std::vector<HeardWord> leave_behind(double time);

 private:
  void forget_earlier();

  std::vector<HeardWord> committed_;
  std::vector<HeardWord> unsure_;
  std::vector<HeardWord> before_;
  double committed_end_ = 0;
  double left_end_ = 0;
};

}  // namespace engine
