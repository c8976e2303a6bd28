#include "engine/whisper/transcriber/live.h"

#include <chrono>
#include <optional>
#include <utility>
#include <variant>

#include "engine/audio/sample_rate.h"
#include "engine/whisper/transcriber/live_turn.h"
#include "engine/whisper/transcriber/window_options.h"
#include "protocol/languages.h"

namespace engine {
namespace {

constexpr std::chrono::milliseconds longest_wait{1000};
constexpr double told_every_s = 1;

PromptHistory new_history(const Runner& runner, const Tokenizer& tokenizer,
                          const TranscriptionOptions& options) {
  return {encode_prompt(tokenizer, options.hotwords),
          encode_prompt(tokenizer, options.initial_prompt), options.carry_initial_prompt,
          most_prompt_tokens(runner.dims())};
}

// A language that the model does not have is detected.
std::string code_of(const std::string& language, const Tokenizer& tokenizer) {
  if (!tokenizer.multilingual()) return "en";
  const auto code = protocol::language_code(language);
  return code && tokenizer.language_token(*code) ? std::string(*code) : std::string();
}

// Takes the pieces of one session.
class Live {
 public:
  Live(Runner& runner, const Tokenizer& tokenizer, const TranscriptionOptions& options,
       const protocol::LiveOptions& live, const TranscriptSink& sink, const std::stop_token& stop)
      : options_(options),
        live_(live),
        state_{runner,
               tokenizer,
               options_,
               stop,
               live_rule(runner.dims(), options.live_margin),
               LivePeriod(options.live_chunk),
               LiveLanguage(code_of(options.language, tokenizer)),
               LiveOutput(options_, sink),
               {LiveBuffer(runner.dims().n_mels, 0), {}, new_history(runner, tokenizer, options_)},
               LivePlace(runner, stop)} {}

  Result<void> take(const live::TurnBegan& began) {
    auto turn = LiveTurn::begin(state_, began, live_.second_look);
    if (!turn) return turn.error();
    turn_.emplace(*std::move(turn));
    return {};
  }

  Result<void> take(const live::Sound& sound) {
    return turn_ ? turn_->take(sound) : Result<void>();
  }

  Result<void> take(const live::TurnEnded& ended) {
    if (!turn_) return {};
    auto heard = turn_->end(ended);
    turn_.reset();
    return heard;
  }

  Result<void> take(const live::TurnDropped&) {
    if (turn_) turn_->drop();
    turn_.reset();
    return {};
  }

  Result<void> take(const live::Configured& configured) {
    const protocol::LiveSettings& wanted = configured.settings;
    live_ = wanted.live;
    if (wanted.language != language_) {
      language_ = wanted.language;
      options_.language = code_of(wanted.language, state_.tokenizer);
      state_.language = LiveLanguage(options_.language);
    }
    const bool is_same_prompt =
        wanted.initial_prompt == options_.initial_prompt && wanted.hotwords == options_.hotwords;
    if (is_same_prompt) return {};
    options_.initial_prompt = wanted.initial_prompt;
    options_.hotwords = wanted.hotwords;
    state_.sound.history = new_history(state_.runner, state_.tokenizer, options_);
    if (turn_) turn_->begin_history();
    return {};
  }

  Result<void> take(const live::Ended& ended) {
    if (turn_) {
      const live::TurnEnded last{turn_->number(), turn_->heard(), protocol::TurnCause::end};
      if (auto heard = take(last); !heard) return heard;
    }
    const protocol::LanguageDetected& detected = state_.language.latest();
    if (state_.language.settled().empty() && !detected.language.empty()) {
      state_.output.tell(detected);
    }
    end_s_ = seconds_of(ended.samples);
    state_.output.look(*end_s_, "");
    return {};
  }

  // Waits for this session's place where the pieces mean a pass, and adds those that have come
  // meanwhile, so that the pass hears them.
  void wait_for_place(std::vector<live::Piece>& pieces, LiveSource& source) {
    const live::Sound* const sound = sound_of_turn(pieces);
    if (sound == nullptr || !turn_->is_due_behind(*sound)) return;
    state_.place.wait(LiveTurn::seems_to_end(*sound));
    // An error comes again with the next call, when the pieces at hand were heard.
    if (auto more = source.take(std::chrono::milliseconds(0))) {
      for (live::Piece& piece : *more) live::append(pieces, std::move(piece));
    }
  }
  // Gives the place up where the pieces were taken without a pass.
  void leave_place() { state_.place.leave(); }

  // Tells how far the turn was heard, where its passes do not: in silence.
  void tell_position() {
    if (!turn_) return;
    const double heard_s = seconds_of(turn_->heard());
    if (heard_s >= state_.output.heard_s() + told_every_s) {
      state_.output.look(heard_s, turn_->tail());
    }
  }

  bool has_ended() const { return end_s_.has_value(); }
  bool ends_sentence() const { return turn_ && turn_->ends_sentence(); }
  Recognized result() const {
    const std::string& settled = state_.language.settled();
    return {settled.empty() ? state_.language.latest().language : settled, end_s_.value_or(0)};
  }

 private:
  // Returns the sound that goes on with the turn at hand.
  const live::Sound* sound_of_turn(const std::vector<live::Piece>& pieces) const {
    const auto* const sound = pieces.empty() ? nullptr : std::get_if<live::Sound>(&pieces.front());
    return turn_ && sound && sound->turn == turn_->number() ? sound : nullptr;
  }

  static double seconds_of(std::int64_t samples) {
    return static_cast<double>(samples) / sample_rate_hz;
  }

  TranscriptionOptions options_;
  protocol::LiveOptions live_;
  std::string language_ = options_.language;  // as it was wanted last
  LiveState state_;
  std::optional<LiveTurn> turn_;
  std::optional<double> end_s_;
};

}  // namespace

Result<Recognized> transcribe_live(Runner& runner, const Tokenizer& tokenizer,
                                   const TranscriptionOptions& options,
                                   const protocol::LiveOptions& live, LiveSource& source,
                                   const TranscriptSink& sink, const std::stop_token& stop) {
  Live session(runner, tokenizer, options, live, sink, stop);
  while (!session.has_ended()) {
    auto pieces = source.take(longest_wait);
    if (!pieces) return pieces.error();
    runner.set_ahead(source.is_ahead());
    session.wait_for_place(*pieces, source);
    for (const live::Piece& piece : *pieces) {
      const auto taken = std::visit([&](const auto& what) { return session.take(what); }, piece);
      if (!taken) return taken.error();
      session.leave_place();  // it was for the first piece
    }
    source.note_sentence_end(session.ends_sentence());
    session.tell_position();
  }
  return session.result();
}

}  // namespace engine
