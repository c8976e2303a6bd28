#pragma once

#include <string>
#include <utility>

#include "protocol/transcript_event.h"

namespace engine {

// The language of a live session: the one that was given, or the one that detection is sure of. It
// is settled once, at a probability above 0.8 as soon as 1.5 seconds were voiced, and otherwise by
// what is likeliest after five.
class LiveLanguage {
 public:
  // `given` is a code; empty: detect it.
  explicit LiveLanguage(std::string given) : settled_(std::move(given)) {}

  // Returns a code; empty until it is settled.
  const std::string& settled() const { return settled_; }
  // Takes what detection says of the turn at hand, of which so many seconds were voiced. Returns
  // true where this settles the language.
  bool hear(const protocol::LanguageDetected& detected, double voiced_s);
  // Counts the turn as heard.
  void end_turn(double voiced_s) { earlier_s_ += voiced_s; }

  // Returns what detection said last; without a language where it said nothing.
  const protocol::LanguageDetected& latest() const { return latest_; }

 private:
  std::string settled_;
  protocol::LanguageDetected latest_;
  double earlier_s_ = 0;  // voiced, in earlier turns
};

}  // namespace engine
