#include "engine/whisper/transcriber/live_turn.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/audio/sample_rate.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/transcriber/live_cut.h"
#include "engine/whisper/transcriber/live_segments.h"

namespace engine {
namespace {

// So much is taken in at once where the sound comes faster, or the passes slower, than it is
// spoken. A buffer that is cut above force_above_s (live_cut.h) has room for it.
constexpr std::size_t most_at_once = std::size_t{10} * sample_rate_hz;
// The first pass over a turn has so much to hear, or all of it.
constexpr double first_s = 0.8;
// After so much silence the turn's end is expected: with the first chunk of it, so that the pass
// over the turn is mostly done when the silence that ends it is.
constexpr std::int64_t expected_end = sample_rate_hz * 32 / 1000;
// A pass has heard speech to its end where it has heard so much of the silence behind it.
constexpr std::int64_t aftersound = expected_end;
// In a longer silence all is decided, and the sound before it is left behind.
constexpr std::int64_t rest = std::int64_t{2} * sample_rate_hz;
constexpr double kept_silence_s = 0.3;
// A turn that begins so soon behind the one before continues its sound, with digital silence
// between them.
constexpr std::int64_t longest_gap = sample_rate_hz / 4;
// The decoder may end early: so much speech without a word is heard by itself, while the turn goes
// on and when it has ended. A shorter rest has no words of its own; a decoder that hears nothing
// else makes some up.
constexpr double unheard_s = 3;
constexpr double unheard_at_end_s = 1;
constexpr double least_cut_s = 0.1;
// A longer turn has no second look, which would keep the session from its next words.
constexpr double longest_second_look_s = 60;
// So much of a turn, with its padding, has words; and so much where the speech goes on.
constexpr double wordless_s = 0.5;
constexpr double wordless_speech_s = 1.6;
// More committed words would leave no room in the decoder's context.
constexpr std::size_t most_prefix = 192;

double seconds(std::int64_t samples) {
  return static_cast<double>(samples) / sample_rate_hz;
}

std::string text_of_words(const std::vector<AlignedWord>& words) {
  std::string text;
  for (const AlignedWord& word : words) text += word.word;
  return text;
}

std::string without_first_space(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

}  // namespace

Result<LiveTurn> LiveTurn::begin(LiveState& state, const live::TurnBegan& began, bool second_look) {
  std::optional<SecondLook> look;
  if (second_look) {
    auto begun = SecondLook::begin(state.runner.dims().n_mels);
    if (!begun) return begun.error();
    look = *std::move(begun);
  }
  state.output.begin_turn(began.turn);
  return LiveTurn(state, began, std::move(look));
}

LiveTurn::LiveTurn(LiveState& state, const live::TurnBegan& began,
                   std::optional<SecondLook> second_look)
    : state_(&state),
      number_(began.turn),
      begin_(began.begin),
      sound_begin_(began.sound_begin),
      second_look_(std::move(second_look)),
      before_(state.sound),
      speech_end_(began.begin),
      heard_end_(began.begin) {
  const std::int64_t gap = std::max<std::int64_t>(began.sound_begin - buffer().end(), 0);
  if (buffer().frames() > 0 && gap <= longest_gap && buffer().span().length() < force_above_s) {
    buffer().append(std::vector<float>(static_cast<std::size_t>(gap)));
  } else {
    cut(std::max(words().committed_end(), buffer().span().end));
    buffer() = LiveBuffer(state.runner.dims().n_mels, began.sound_begin);
  }
  words().begin_turn(seconds(began.begin));
}

bool LiveTurn::has_news(const Outlook& at) const {
  return at.speech_end > begin_ && at.speech_end + aftersound > heard_end_;
}

bool LiveTurn::seems_to_end(const live::Sound& sound) {
  return sound.silent >= expected_end;
}

bool LiveTurn::is_due_behind(const live::Sound& sound) const {
  const std::int64_t end = buffer().end() + static_cast<std::int64_t>(sound.samples.size());
  return is_due({end, sound.silent, std::max(speech_end_, end - sound.silent)});
}

bool LiveTurn::is_due(const Outlook& at) const {
  if (!has_news(at) || at.end - buffer().begin() < hop_length) return false;
  // A cut that does not wait for a sentence must not leave sound behind that no pass has heard.
  if (at.silent >= expected_end || seconds(at.end - buffer().begin()) > force_above_s) return true;
  const double period = state_->period.seconds();
  return seconds(at.end - heard_end_) >= (passes_ == 0 ? std::max(period, first_s) : period);
}

bool LiveTurn::is_resting() const {
  return silent_ >= rest && !has_news() && buffer().span().length() > 2 * kept_silence_s;
}

double LiveTurn::voiced_s() const {
  return seconds(speech_end_ - begin_);
}

bool LiveTurn::ends_sentence() const {
  const std::string tail = this->tail();
  if (!tail.empty()) return engine::ends_sentence(tail);
  return !said_.empty() && engine::ends_sentence(said_.back().word);
}

Result<void> LiveTurn::take(const live::Sound& sound) {
  std::span<const float> left = sound.samples;
  while (!left.empty()) {
    const auto piece = left.first(std::min({left.size(), most_at_once, buffer().room()}));
    left = left.subspan(piece.size());
    buffer().append(piece);
    if (second_look_) {
      if (auto kept = second_look_->push(piece); !kept) return kept;
    }
    silent_ = std::max<std::int64_t>(0, sound.silent - static_cast<std::int64_t>(left.size()));
    speech_end_ = std::max(speech_end_, buffer().end() - silent_);
    if (auto looked = look(); !looked) return looked;
  }
  return {};
}

Result<void> LiveTurn::look() {
  const std::size_t said = said_.size();
  // Speech that failed in its only pass has its last chance before a rest leaves it behind.
  const bool is_failed_rest = has_failed_ && is_resting();
  const bool is_due_now = is_due({buffer().end(), silent_, speech_end_}) || is_failed_rest;
  if (is_due_now) {
    const bool is_before_cut = buffer().span().length() > cut_above_s;
    const Purpose purpose{.is_last_chance = is_before_cut || is_failed_rest,
                          .may_end_turn = silent_ >= expected_end};
    if (auto heard = hear(purpose); !heard) return heard;
  }
  commit_sure();
  cut();
  if (is_due_now || said_.size() != said) state_->output.look(seconds(heard()), tail());
  return {};
}

Result<void> LiveTurn::hear(Purpose purpose) {
  heard_end_ = buffer().end();
  ++passes_;
  whole_.reset();
  auto input = buffer().encoder_input();
  if (!input) {
    hear_words({});
    has_failed_ = false;
    return {};
  }
  const double waited_s = state_->place.enter(purpose.may_end_turn);
  const auto begin = std::chrono::steady_clock::now();
  auto heard = hear_sound(
      state_->runner, state_->tokenizer,
      {*std::move(input), buffer().begin(), buffer().frames(), seconds(speech_end_),
       state_->language.settled(), state_->sound.history.prompt(), words().committed(),
       words().earlier(), words().left_end(), purpose.is_last_chance, purpose.may_end_turn},
      state_->options, state_->stop);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  state_->place.leave();
  state_->period.add(taken.count() + waited_s);
  if (!heard) return heard.error();
  has_failed_ = !heard->words;
  language_ = heard->language;
  if (has_failed_) return {};
  hear_language(*heard);
  result_ = std::move(heard->result);
  hear_words(*std::move(heard->words));
  if (heard->whole) {
    whole_ = std::move(heard->whole);
    revised_from_ = said_.size() - (words().committed().size() - words().earlier());
  }
  if (!has_no_words()) return {};
  cut(std::max(seconds(sound_begin_), words().committed().back().word.end));
  return hear(purpose);
}

// Behind the text of earlier turns the decoder may end at once, above all where somebody else
// speaks now: a turn that it says nothing of is heard by itself.
bool LiveTurn::has_no_words() const {
  const bool is_long = voiced_s() >= (silent_ >= expected_end ? wordless_s : wordless_speech_s);
  return is_long && said_.empty() && words().unsure().empty() && !words().committed().empty();
}

// A turn does not begin with the sign that ends the sentence of the one before.
void LiveTurn::hear_words(std::vector<HeardWord> heard) {
  if (said_.empty()) drop_first_signs(heard);
  words().hear(std::move(heard));
}

void LiveTurn::hear_language(const HeardSound& heard) {
  if (!state_->language.settled().empty()) return;
  const protocol::LanguageDetected detected{heard.language, heard.language_probability};
  if (state_->language.hear(detected, voiced_s())) state_->output.tell(detected);
}

// Words of the latest pass become sure in the silence behind it, too, but not by sound in which
// somebody speaks and that it has not heard.
void LiveTurn::commit_sure() {
  const bool has_heard_all = !has_news() || buffer().end() == heard_end_;
  if (state_->language.settled().empty() || has_failed_ || !has_heard_all) return;
  commit(sure_words(state_->rule, words().before(), words().unsure(), moment()));
}

void LiveTurn::commit(std::size_t count) {
  if (count == 0) return;
  const auto committed = words().commit(count);
  for (const HeardWord& heard : committed) said_.push_back(heard.word);
  state_->output.add(committed, result_, buffer().begin() / hop_length, !second_look_);
}

// What was sent stays sent; the turn's text, and what later turns are heard behind, become better.
// A decoder that has ended early leaves words out, which are kept as they were.
void LiveTurn::revise() {
  if (!whole_) return;
  std::vector<HeardWord> whole = *std::exchange(whole_, std::nullopt);
  whole.resize(spoken_words(state_->rule, whole, moment()));
  if (!words().is_reached_by(whole, unheard_at_end_s)) return;
  said_.resize(revised_from_);
  const double from = said_.empty() ? words().turn_begin() : said_.back().end;
  const auto revised = words().revise(std::move(whole), from, buffer().span().begin);
  for (const HeardWord& heard : revised) said_.push_back(heard.word);
}

void LiveTurn::cut() {
  if (is_resting()) {
    commit_spoken();
    revise();
    hear_words({});
    return cut(buffer().span().end - kept_silence_s);
  }
  const LiveSpan span = buffer().span();
  if (span.length() > force_above_s) commit(words().ended_by(span.end - kept_s));
  double begin = live_cut(span, words().committed(), words().unsure());
  const double heard_s = seconds(std::min(speech_end_, heard_end_));
  if (words().unsure().empty() && heard_s - words().committed_end() > unheard_s) {
    begin = std::max(begin, last_word_begin(words().committed(), begin));
  }
  if (begin >= span.begin + least_cut_s) cut(begin);
  while (tokens_of(words().committed()).size() > most_prefix) {
    cut(words().committed()[words().committed().size() / 2].word.end);
  }
}

void LiveTurn::cut(double time) {
  buffer().cut(time);
  for (const HeardWord& left : words().leave_behind(time)) {
    if (state_->options.condition_on_previous_text) state_->sound.history.add(left.word.tokens);
  }
}

// Sound behind the last word is decoded by itself, as the loop of windows of a whole recording
// does.
Result<void> LiveTurn::hear_rest() {
  while (seconds(speech_end_) - words().committed_end() > unheard_at_end_s) {
    const double begin = last_word_begin(words().committed(), 0);
    if (begin < buffer().span().begin + least_cut_s) break;
    cut(begin);
    if (auto heard = hear(at_the_end); !heard) return heard;
    commit_spoken();
  }
  return {};
}

Result<void> LiveTurn::end(const live::TurnEnded& ended) {
  if (buffer().frames() > 0 && (has_news() || has_failed_)) {
    if (auto heard = hear(at_the_end); !heard) return heard;
  }
  commit_spoken();
  if (auto heard = hear_rest(); !heard) return heard;
  revise();
  const std::string& settled = state_->language.settled();
  const auto words = with_signs(said_, state_->options);
  protocol::TurnEnded told{.turn = number_,
                           .start_s = seconds(begin_),
                           .end_s = seconds(ended.end),
                           .text = without_first_space(text_of_words(said_)),
                           .words = {words.begin(), words.end()},
                           .language = settled.empty() ? language_ : settled,
                           .avg_logprob = result_.avg_logprob,
                           .speaker = "",
                           .cause = ended.cause};
  std::optional<std::vector<Segment>> seen;
  if (second_look_ && voiced_s() <= longest_second_look_s) {
    if (auto looked = look_again(told, seen); !looked) return looked;
  }
  state_->language.end_turn(voiced_s());
  state_->output.end_turn(told, seen);
  state_->output.look(seconds(heard()), "");
  return {};
}

void LiveTurn::drop() {
  const double heard_s = seconds(heard());
  state_->sound = std::move(before_);
  state_->output.drop_turn();
  state_->output.look(heard_s, "");
}

Result<void> LiveTurn::look_again(protocol::TurnEnded& told,
                                  std::optional<std::vector<Segment>>& seen) {
  seen.emplace();
  if (passes_ == 0) return {};
  auto segments = second_look_->transcribe(state_->runner, state_->tokenizer,
                                           {begin_, told.language}, state_->options, state_->stop);
  if (!segments) return segments.error();
  seen = *std::move(segments);
  told.text.clear();
  told.words.clear();
  for (const Segment& segment : *seen) {
    told.text += segment.text;
    told.words.insert(told.words.end(), segment.words.begin(), segment.words.end());
    told.avg_logprob = segment.avg_logprob;
  }
  told.text = without_first_space(std::move(told.text));
  return {};
}

}  // namespace engine
