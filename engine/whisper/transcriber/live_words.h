#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/whisper/transcriber/live_align.h"

namespace engine {

// Removes the signs before the first word: those that end the sentence of the turn before.
void drop_first_signs(std::vector<HeardWord>& words);

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

  // Returns whether there are words, of which the last ends at most `short_s` before the committed
  // ones do.
  bool is_reached_by(const std::vector<HeardWord>& words, double short_s) const;
  // Says that these are the turn's words from `from` on, heard anew, in place of those that are
  // committed or unsure, and returns them, from their first word on where `from` is where the turn
  // begins. Their times do not go back. Those that have ended before
  // `begin`, where the buffer begins, are left behind already.
  std::vector<HeardWord> revise(std::vector<HeardWord> words, double from, double begin);

  const std::vector<HeardWord>& committed() const { return committed_; }
  // Returns how many of them are of earlier turns.
  std::size_t earlier() const { return earlier_; }
  // Returns where words of the turn begin at the earliest.
  double turn_begin() const { return turn_begin_; }
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
  std::size_t earlier_ = 0;
  std::vector<HeardWord> unsure_;
  std::vector<HeardWord> before_;
  double turn_begin_ = 0;
  double committed_end_ = 0;
  double left_end_ = 0;
};

}  // namespace engine
