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
#include "engine/whisper/transcriber/live_place.h"
#include "engine/whisper/transcriber/live_second_look.h"
#include "engine/whisper/transcriber/live_words.h"
#include "engine/whisper/transcriber/prompt_history.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// The latest sound of a session and its words. A turn that follows the one before closely continues
// them, so that what is said behind a short silence is heard as well as if there had been none.
struct LiveSound {
  LiveBuffer buffer;
  LiveWords words;
  PromptHistory history;  // the text before the buffer
};

// What a session has while its turns come and go.
struct LiveState {
  Runner& runner;
  const Tokenizer& tokenizer;
  const TranscriptionOptions& options;
  const std::stop_token& stop;
  LiveRule rule;
  LivePeriod period;
  LiveLanguage language;
  LiveOutput output;
  LiveSound sound;
  LivePlace place;
};

// Hears one turn. A pass over its sound is due when the period's worth of it is new, and at once
// when a silence seems to end it; none is without speech since the one before.
class LiveTurn {
 public:
  // The state must outlive it. With `second_look` the text that ends the turn is that of its whole
  // sound.
  static Result<LiveTurn> begin(LiveState& state, const live::TurnBegan& began, bool second_look);

  Result<void> take(const live::Sound& sound);
  // Returns whether taking that sound in will mean a pass.
  bool is_due_behind(const live::Sound& sound) const;
  // Returns whether the turn seems to end with that sound.
  static bool seems_to_end(const live::Sound& sound);
  Result<void> end(const live::TurnEnded& ended);
  // Forgets the turn, as if nobody had spoken.
  void drop();
  // Takes the state's history for the text before the turn.
  void begin_history() { before_.history = state_->sound.history; }

  int number() const { return number_; }
  // Returns the sample that its sound was heard up to.
  std::int64_t heard() const { return buffer().end(); }
  // Returns what may be said behind the committed words.
  std::string tail() const { return text_of(words().unsure()); }
  bool ends_sentence() const;

 private:
  LiveTurn(LiveState& state, const live::TurnBegan& began, std::optional<SecondLook> second_look);

  LiveBuffer& buffer() { return state_->sound.buffer; }
  const LiveBuffer& buffer() const { return state_->sound.buffer; }
  LiveWords& words() { return state_->sound.words; }
  const LiveWords& words() const { return state_->sound.words; }

  // Where the sound ends, and the speech in it.
  struct Outlook {
    std::int64_t end = 0;
    std::int64_t silent = 0;
    std::int64_t speech_end = 0;
  };

  bool has_news() const { return has_news({buffer().end(), silent_, speech_end_}); }
  bool has_news(const Outlook& at) const;
  bool is_due(const Outlook& at) const;
  bool is_resting() const;
  LiveMoment moment() const { return {buffer().end(), silent_}; }
  double voiced_s() const;

  // What a pass is for: `is_last_chance` if its sound is left behind after it, `may_end_turn` if
  // the text of the turn may be what it hears.
  struct Purpose {
    bool is_last_chance = false;
    bool may_end_turn = false;
  };
  static constexpr Purpose at_the_end{.is_last_chance = true, .may_end_turn = true};

  Result<void> look();
  Result<void> hear(Purpose purpose);
  bool has_no_words() const;
  void hear_language(const HeardSound& heard);
  Result<void> hear_rest();
  void hear_words(std::vector<HeardWord> heard);
  void commit(std::size_t count);
  void commit_sure();
  void revise();
  void commit_spoken() { commit(spoken_words(state_->rule, words().unsure(), moment())); }
  void cut();
  void cut(double time);
  Result<void> look_again(protocol::TurnEnded& told, std::optional<std::vector<Segment>>& seen);

  LiveState* state_;
  int number_;
  std::int64_t begin_;
  std::int64_t sound_begin_;
  std::optional<SecondLook> second_look_;
  LiveSound before_;               // as it was when the turn began
  std::vector<AlignedWord> said_;  // all that was committed
  std::int64_t silent_ = 0;        // samples at the end
  std::int64_t speech_end_;        // behind it is silence
  std::int64_t heard_end_;         // of the latest pass
  int passes_ = 0;
  bool has_failed_ = false;  // the latest pass
  std::string language_;     // of that pass
  DecodingResult result_;    // of the latest that has not failed
  // The turn's words behind the first `revised_from_`, as the latest pass has heard them anew.
  std::optional<std::vector<HeardWord>> whole_;
  std::size_t revised_from_ = 0;
};

}  // namespace engine
