#include "engine/live/turn_detector.h"

#include <algorithm>
#include <utility>

#include "engine/audio/sample_rate.h"

namespace engine {
namespace {

using protocol::TurnCause;

constexpr int samples_per_ms = sample_rate_hz / 1000;
// A silence in speech that is too short to be a turn is the end of it.
constexpr std::int64_t forgotten_after = 100 * samples_per_ms;
// A turn that is too long ends at such a silence, and so long after it became too long without one.
constexpr std::int64_t short_silence = 100 * samples_per_ms;
constexpr std::int64_t grace = std::int64_t{60} * sample_rate_hz;
// Sound before a turn, and speech that might be too short, are kept in memory.
constexpr int most_kept_ms = 10'000;

std::int64_t kept_samples(int ms) {
  return std::int64_t{std::clamp(ms, 0, most_kept_ms)} * samples_per_ms;
}

std::int64_t samples_of(int ms) {
  return std::int64_t{std::max(ms, 0)} * samples_per_ms;
}

// Returns the options for a turn that only a commit ends: a client that says itself when somebody
// has spoken means it, so fainter speech counts, and more of the sound before it.
protocol::TurnDetection faint_speech() {
  protocol::TurnDetection options;
  options.threshold = 0.3;
  options.prefix_padding_ms = 500;
  return options;
}

}  // namespace

TurnDetector::TurnDetector(const std::optional<protocol::TurnDetection>& options) {
  configure(options);
}

void TurnDetector::configure(const std::optional<protocol::TurnDetection>& options) {
  const protocol::TurnDetection wanted = options.value_or(faint_speech());
  limits_.threshold = wanted.threshold;
  limits_.neg_threshold = std::max(wanted.threshold - 0.15, 0.01);
  limits_.padding = kept_samples(wanted.prefix_padding_ms);
  limits_.min_speech = kept_samples(wanted.min_speech_duration_ms);
  limits_.silence.reset();
  if (options) limits_.silence = samples_of(wanted.silence_duration_ms);
  limits_.unfinished_silence =
      samples_of(wanted.unfinished_silence_ms.value_or(wanted.silence_duration_ms));
}

std::optional<TurnChange> TurnDetector::push(float probability, bool ends_sentence) {
  hear(probability);
  position_ += chunk_samples;
  return in_turn_ ? end_turn(ends_sentence) : begin_turn();
}

// A probability between the two thresholds changes nothing.
void TurnDetector::hear(float probability) {
  const std::int64_t begin = std::max(position_, floor_);
  if (probability >= limits_.threshold) {
    if (!speech_begin_) speech_begin_ = begin;
    silence_begin_.reset();
  } else if (probability < limits_.neg_threshold && speech_begin_ && !silence_begin_) {
    silence_begin_ = begin;
  }
}

std::optional<TurnChange> TurnDetector::begin_turn() {
  if (!speech_begin_) return std::nullopt;
  if (silence_begin_) {
    if (position_ - *silence_begin_ >= forgotten_after) {
      speech_begin_.reset();
      silence_begin_.reset();
    }
    return std::nullopt;
  }
  if (position_ - *speech_begin_ < limits_.min_speech) return std::nullopt;
  turn_begin_ = *begin();
  in_turn_ = true;
  return TurnChange{TurnChange::Kind::begins, turn_begin_};
}

std::optional<TurnChange> TurnDetector::end_turn(bool ends_sentence) {
  const std::int64_t silent = silent_until(position_);
  const std::int64_t beyond = position_ - turn_begin_ - longest_turn;
  const std::int64_t wanted =
      ends_sentence ? limits_.silence.value_or(0) : limits_.unfinished_silence;
  TurnChange end{TurnChange::Kind::ends, position_};
  if (limits_.silence && silence_begin_ && silent >= wanted) {
    end.cause = TurnCause::silence;
  } else if (beyond >= grace || (beyond >= 0 && silent >= short_silence)) {
    end.cause = TurnCause::limit;
  } else {
    return std::nullopt;
  }
  return end;
}

void TurnDetector::cut(std::int64_t sample) {
  floor_ = std::max(floor_, sample);
  in_turn_ = false;
  speech_begin_.reset();
  silence_begin_.reset();
}

std::optional<std::int64_t> TurnDetector::begin() const {
  if (in_turn_) return turn_begin_;
  if (!speech_begin_) return std::nullopt;
  return std::max(floor_, *speech_begin_ - limits_.padding);
}

std::int64_t TurnDetector::needed_from() const {
  return begin().value_or(std::max(floor_, position_ - limits_.padding));
}

std::int64_t TurnDetector::silent_until(std::int64_t sample) const {
  return silence_begin_ ? std::max<std::int64_t>(sample - *silence_begin_, 0) : 0;
}

}  // namespace engine
