#include "engine/live/live_turns.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "engine/audio/sample_rate.h"

namespace engine {
namespace {

using protocol::TurnCause;

constexpr std::int64_t second = sample_rate_hz;
// So much sound before a turn is given with it.
constexpr std::int64_t lead = second / 2;

double in_seconds(std::int64_t samples) {
  return static_cast<double>(samples) / sample_rate_hz;
}

}  // namespace

LiveTurns::LiveTurns(ListenForSpeech listen, LivePieces& pieces, protocol::TranscriptSink tell)
    : listen_(std::move(listen)),
      pieces_(pieces),
      tell_(std::move(tell)),
      detector_(std::nullopt) {}

void LiveTurns::push(std::span<const float> samples) {
  recent_.insert(recent_.end(), samples.begin(), samples.end());
  heard_ += static_cast<std::int64_t>(samples.size());
  if (listen_) {
    listen_(samples, probabilities_);
  } else {
    const auto chunks = (heard_ - detector_.position()) / TurnDetector::chunk_samples;
    probabilities_.resize(static_cast<std::size_t>(chunks), 1.0F);
  }
}

Result<void> LiveTurns::apply(const live::Wish& wish) {
  advance_to(wish.sample);
  const std::int64_t at = std::max({wish.sample, detector_.position(), last_end_});
  if (const auto* settings = std::get_if<protocol::LiveSettings>(&wish.what)) {
    if (auto configured = configure(settings->live); !configured) return configured;
    give(at);
    pieces_.append(live::Configured{*settings});
  } else if (std::holds_alternative<live::Commit>(wish.what)) {
    commit(at);
  } else {
    clear(at);
  }
  return {};
}

Result<void> LiveTurns::configure(const protocol::LiveOptions& live) {
  if (live.turn_detection && !listen_) {
    return Error{Errc::not_found,
                 "turn detection needs the model 'silero-vad', which is not installed",
                 "Run `scribed models pull silero-vad`, or turn it off."};
  }
  detector_.configure(live.turn_detection);
  return {};
}

void LiveTurns::advance_to(std::int64_t sample) {
  std::size_t taken = 0;
  while (taken < probabilities_.size() &&
         detector_.position() + TurnDetector::chunk_samples <= sample) {
    step(probabilities_[taken++]);
  }
  probabilities_.erase(probabilities_.begin(),
                       probabilities_.begin() + static_cast<std::ptrdiff_t>(taken));
  trim();
}

void LiveTurns::step(float probability) {
  const auto change = detector_.push(probability, ends_sentence_);
  if (change && change->kind == TurnChange::Kind::begins) begin_turn(change->at, true);
  give(detector_.position());
  if (change && change->kind == TurnChange::Kind::ends) end_turn(change->at, change->cause);
  tell_silence();
}

// In a turn it is the recogniser that says how far it is.
void LiveTurns::tell_silence() {
  if (is_open_ || detector_.position() - told_ < second) return;
  told_ = detector_.position();
  tell_(protocol::Progress{in_seconds(told_), 0, protocol::ProgressPhase::listening});
}

void LiveTurns::begin_turn(std::int64_t at, bool is_speech) {
  // Sound before `recent_begin_` is gone, also where more padding is wanted than before.
  if (is_speech) at = std::max(at, recent_begin_);
  ++turn_;
  is_open_ = true;
  given_ = is_speech ? std::max({at - lead, recent_begin_, last_end_}) : at;
  ends_sentence_ = false;
  if (is_speech && listen_) tell_(protocol::SpeechStarted{turn_, in_seconds(at)});
  pieces_.append(live::TurnBegan{turn_, at, is_speech, given_});
}

void LiveTurns::give(std::int64_t until) {
  if (!is_open_ || until <= given_) return;
  const auto first = recent_.begin() + (given_ - recent_begin_);
  pieces_.append(
      live::Sound{turn_, given_, {first, first + (until - given_)}, detector_.silent_until(until)});
  given_ = until;
}

void LiveTurns::end_turn(std::int64_t at, TurnCause cause) {
  if (cause == TurnCause::silence) tell_(protocol::SpeechStopped{turn_, in_seconds(at)});
  pieces_.append(live::TurnEnded{turn_, at, cause});
  is_open_ = false;
  last_end_ = at;
  detector_.cut(at);
}

// Speech that is too short so far was meant where somebody ends a turn behind it.
void LiveTurns::commit(std::int64_t at) {
  const auto speech = detector_.begin();
  if (!is_open_ && speech) begin_turn(*speech, true);
  if (is_open_) {
    give(at);
  } else {
    begin_turn(last_end_, false);
  }
  end_turn(at, TurnCause::client);
}

void LiveTurns::clear(std::int64_t at) {
  if (is_open_) pieces_.append(live::TurnDropped{turn_});
  is_open_ = false;
  last_end_ = at;
  detector_.cut(at);
}

void LiveTurns::finish() {
  advance();
  const auto speech = detector_.begin();
  if (!is_open_ && speech) begin_turn(*speech, true);
  give(heard_);
  if (is_open_) end_turn(heard_, TurnCause::end);
  pieces_.append(live::Ended{heard_});
}

// A second at once, because what stays is moved.
void LiveTurns::trim() {
  const std::int64_t needed = is_open_ ? given_ : detector_.needed_from() - lead;
  if (needed - recent_begin_ < second) return;
  recent_.erase(recent_.begin(), recent_.begin() + (needed - recent_begin_));
  recent_begin_ = needed;
}

}  // namespace engine
