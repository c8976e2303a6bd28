#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/live/live_source.h"
#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/live_align.h"
#include "engine/whisper/transcriber/live_buffer.h"
#include "engine/whisper/transcriber/live_language.h"
#include "engine/whisper/transcriber/live_output.h"
#include "engine/whisper/transcriber/live_pass.h"
#include "engine/whisper/transcriber/live_period.h"
#include "engine/whisper/transcriber/live_second_look.h"
#include "engine/whisper/transcriber/live_words.h"
#include "engine/whisper/transcriber/prompt_history.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// What a session has while its turns come and go.
struct LiveState {
  Runner& runner;
  const Tokenizer& tokenizer;
  const TranscriptionOptions& options;
  const std::stop_token& stop;
  LiveRule rule;
  LivePeriod period;
  LiveLanguage language;
  PromptHistory history;  // the text before the buffer
  LiveOutput output;
};

// Hears one turn. A pass over its sound is due when the period's worth of it is new, and at once
// when a silence seems to end it; none is without speech since the one before.
class LiveTurn {
 public:
  // The state must outlive it. With `second_look` the text that ends the turn is that of its whole
  // sound.
  static Result<LiveTurn> begin(LiveState& state, const live::TurnBegan& began, bool second_look);

  Result<void> take(const live::Sound& sound);
  Result<void> end(const live::TurnEnded& ended);
  // Forgets the turn, as if nobody had spoken.
  void drop();
  // Takes the state's history for the text before the turn.
  void begin_history() { history_before_ = state_->history; }

  int number() const { return number_; }
  // Returns the sample that its sound was heard up to.
  std::int64_t heard() const { return buffer_.end(); }
  // Returns what may be said behind the committed words.
  std::string tail() const { return text_of(words_.unsure()); }
  bool ends_sentence() const;

 private:
  LiveTurn(LiveState& state, const live::TurnBegan& began, std::optional<SecondLook> second_look);

  bool has_news() const;
  bool is_due() const;
  bool is_resting() const;
  LiveMoment moment() const { return {buffer_.end(), silent_}; }
  double voiced_s() const;

  Result<void> look();
  Result<void> hear(bool is_last_chance);
  void hear_language(const HeardSound& heard);
  Result<void> hear_rest();
  void commit(std::size_t count);
  void commit_sure();
  void commit_spoken() { commit(spoken_words(state_->rule, words_.unsure(), moment())); }
  void cut();
  void cut(double time);
  Result<void> look_again(protocol::TurnEnded& told, std::optional<std::vector<Segment>>& seen);

  LiveState* state_;
  int number_;
  std::int64_t begin_;
  LiveBuffer buffer_;
  LiveWords words_;
  std::optional<SecondLook> second_look_;
  PromptHistory history_before_;
  std::vector<AlignedWord> said_;  // all that was committed
  std::int64_t silent_ = 0;        // samples at the end
  std::int64_t speech_end_;        // behind it is silence
  std::int64_t heard_end_;         // of the latest pass
  int passes_ = 0;
  bool has_failed_ = false;  // the latest pass
  std::string language_;     // of that pass
  DecodingResult result_;    // of the latest that has not failed
};

}  // namespace engine
