#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/whisper/words/word.h"

// Decides which words of a recording that still goes on are sure: LocalAgreement-2 of Macháček,
// Dabre and Bojar, "Turning Whisper into Real-Time Transcription System" (arXiv 2307.14743), and
// ufal/whisper_streaming whisper_online.py `HypothesisBuffer`.
namespace engine {

// A word as one pass over the sound has heard it. Times are seconds from the recording's start.
struct HeardWord {
  AlignedWord word;
  bool ends_segment = false;  // the decoder ended a segment behind it
};

// Returns how many words both begin with. Case and punctuation may differ where more was heard
// behind the word: the end of the sound looks like the end of a sentence to the decoder.
std::size_t agreed_words(std::span<const HeardWord> before, std::span<const HeardWord> now);

// Returns the first word of `heard` that is not said in `committed`, whose last word ended at
// `committed_end`: behind the place where the last committed words are heard again at about their
// time, whatever their case and punctuation have become; where they are not, by the time alone.
std::size_t first_new_word(std::span<const HeardWord> committed, double committed_end,
                           std::span<const HeardWord> heard);

// Returns the words, as text.
std::string text_of(std::span<const HeardWord> words);

// Keeps what was heard so far. What is committed is never taken back.
class LiveWords {
 public:
  // Takes what another pass has heard, and commits what it and the pass before agree on. Returns
  // how many words that were.
  std::size_t hear(std::vector<HeardWord> heard);
  // Commits what is unsure still, up to the words that end after `time`; returns how many.
  std::size_t commit_until(double time);

  // Return the committed words that are still in the buffer, and what the latest pass has heard
  // behind them.
  const std::vector<HeardWord>& committed() const { return committed_; }
  const std::vector<HeardWord>& unsure() const { return unsure_; }
  // Returns when the last committed word ended.
  double committed_end() const { return committed_end_; }

  // Says that the buffer begins at `time` now. Returns the committed words before it, which are
  // forgotten.
  std::vector<HeardWord> leave_behind(double time);

 private:
  void commit(std::size_t count);

  std::vector<HeardWord> committed_;
  std::vector<HeardWord> latest_;  // the last few committed ones, also when they are left behind
  std::vector<HeardWord> unsure_;
  double committed_end_ = 0;
};

}  // namespace engine
