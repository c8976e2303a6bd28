#include "protocol/deepgram/channel.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "protocol/deepgram/spoken_words.h"

namespace protocol::deepgram {
namespace {

constexpr double longest_pending_s = 5;

}  // namespace

void Channel::tell(const TranscriptEvent& event, live::Actions& actions) {
  std::visit([&](const auto& one) { hear(one, actions); }, event);
}

void Channel::hear(const SpeechStarted& started, live::Actions& actions) {
  begun_.try_emplace(started.turn, started.start_s);
  if (!settings_.vad_events) return;
  actions.push_back(live::Send{speech_started_message(facts_, number_, started.start_s)});
}

void Channel::hear(const LiveWords& words, live::Actions& actions) {
  if (!words.words.empty()) begun_.try_emplace(words.turn, words.words.front().start);
  pending_.insert(pending_.end(), words.words.begin(), words.words.end());
  flush_long_turn(actions);
}

// The text behind the latest words comes with each look at the sound, after the words that the same
// look has decided.
void Channel::hear(const LiveText& text, live::Actions& actions) {
  send_interim(text.heard_s, text.tail, actions);
  heard_up_to(text.heard_s, actions);
}

void Channel::hear(const Progress& progress, live::Actions& actions) {
  if (progress.phase == ProgressPhase::listening) heard_up_to(progress.position_s, actions);
}

void Channel::hear(const TurnEnded& ended, live::Actions& actions) {
  begun_.erase(begun_.begin(), begun_.upper_bound(ended.turn));
  // The turn has all of its words, also those that its last look has found.
  const auto rest = rest_of(ended);
  if (!ended.words.empty()) pending_.assign(rest.begin(), rest.end());
  ChannelResult result{
      .end = ended.end_s,
      .speech_final = ended.cause == TurnCause::silence && settings_.endpointing_ms.has_value(),
      .from_finalize = ended.cause == TurnCause::client,
      .words = std::exchange(pending_, {}),
      .speaker = number_of(ended.speaker)};
  const bool had_words = told_words_ > 0 || !result.words.empty();
  if (!had_words) result.tail = ended.text;
  if (settings_.language.empty()) result.language = ended.language;
  told_words_ = 0;
  const bool is_nothing = ended.start_s >= ended.end_s && result.words.empty() && shown_.empty();
  if (result.from_finalize || !is_nothing) send_final(std::move(result), actions);
  heard_up_to(ended.end_s, actions);
}

// The text that ends a turn may have other words, and more or fewer of them, than were told: then
// their times say which come behind those that finals have had.
std::span<const Word> Channel::rest_of(const TurnEnded& ended) const {
  const std::span<const Word> words = ended.words;
  if (told_words_ == 0) return words;
  const bool is_same = words.size() >= told_words_ && words[told_words_ - 1].end == told_end_;
  if (is_same) return words.subspan(told_words_);
  const auto rest = std::ranges::find_if(
      words, [&](const Word& word) { return word.start + word.end > 2 * told_end_; });
  return {rest, words.end()};
}

std::optional<int> Channel::number_of(const std::string& speaker) {
  if (speaker.empty()) return std::nullopt;
  const auto known = std::ranges::find(speakers_, speaker);
  const auto number = known - speakers_.begin();
  if (known == speakers_.end()) speakers_.push_back(speaker);
  return static_cast<int>(number);
}

void Channel::send_interim(double end_s, const std::string& tail, live::Actions& actions) {
  const std::string text = text_of(pending_) + tail;
  if (!settings_.interim_results || text == shown_) return;
  shown_ = text;
  const ChannelResult result{.channel = number_,
                             .start = final_end_,
                             .end = std::max(end_s, final_end_),
                             .words = pending_,
                             .tail = tail};
  const std::string range = std::to_string(number_) + " " + std::to_string(final_end_);
  actions.push_back(live::Send{results_message(facts_, result), "interim " + range});
}

void Channel::send_final(ChannelResult result, live::Actions& actions) {
  result.channel = number_;
  result.is_final = true;
  result.start = final_end_;
  result.end = std::max(result.end, final_end_);
  if (!result.words.empty()) {
    last_word_end_ = result.words.back().end;
    result.end = std::max(result.end, *last_word_end_);
  }
  final_end_ = result.end;
  shown_.clear();
  actions.push_back(live::Send{results_message(facts_, result)});
}

// Tells a long turn's words, up to the end of a sentence where there is one. The last word stays,
// so that the final with the end of speech has some.
void Channel::flush_long_turn(live::Actions& actions) {
  if (pending_.size() < 2) return;
  if (pending_.back().end - pending_.front().start <= longest_pending_s) return;
  const auto last = pending_.end() - 1;
  const auto sentence =
      std::find_if(std::make_reverse_iterator(last), pending_.rend(), ends_sentence);
  const auto rest = sentence == pending_.rend() ? last : sentence.base();
  ChannelResult result{.end = std::prev(rest)->end, .words = {pending_.begin(), rest}};
  pending_.erase(pending_.begin(), rest);
  told_words_ += result.words.size();
  told_end_ = result.words.back().end;
  send_final(std::move(result), actions);
}

// No word is to come that begins before the next turn, or where there is none yet, before what was
// heard.
void Channel::heard_up_to(double at_s, live::Actions& actions) {
  heard_s_ = std::max(heard_s_, at_s);
  if (!settings_.utterance_end_ms || !last_word_end_) return;
  const double silent_to = begun_.empty() ? heard_s_ : begun_.begin()->second;
  if (silent_to < *last_word_end_ + *settings_.utterance_end_ms / 1000.0) return;
  const double end_s = *std::exchange(last_word_end_, std::nullopt);
  actions.push_back(live::Send{utterance_end_message(facts_, number_, end_s)});
}

}  // namespace protocol::deepgram
