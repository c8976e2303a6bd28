#include "engine/vad/speech_segments.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/audio/sample_rate.h"
#include "engine/vad/silero_vad.h"

namespace engine {
namespace {

constexpr std::int64_t samples_per_ms = 16;
constexpr int max_ms = 24 * 3600 * 1000;

double neg_threshold(const SpeechOptions& options) {
  return options.neg_threshold.value_or(std::max(options.threshold - 0.15, 0.01));
}

double max_speech_samples(const SpeechOptions& options) {
  return sample_rate_hz * options.max_speech_duration_s - SileroVad::chunk_samples -
         static_cast<double>(2 * options.speech_pad_ms * samples_per_ms);
}

Error invalid(const char* option, const std::string& must) {
  return {Errc::invalid_option, std::string("[vad] ") + option + " must be " + must, ""};
}

}  // namespace

SpeechOptions faster_whisper_options() {
  SpeechOptions options;
  options.min_speech_duration_ms = 0;
  options.min_silence_duration_ms = 2000;
  options.speech_pad_ms = 400;
  return options;
}

SpeechOptions faster_whisper_batched_options(double window_s) {
  SpeechOptions options = faster_whisper_options();
  options.max_speech_duration_s = window_s;
  options.min_silence_duration_ms = 160;
  return options;
}

Result<void> validate(const SpeechOptions& options) {
  const auto is_time = [](int ms) { return ms >= 0 && ms <= max_ms; };
  if (!(options.threshold > 0 && options.threshold <= 1)) {
    return invalid("threshold", "above 0, and 1 at most");
  }
  // The comparison is written so that NaN fails too.
  if (!(neg_threshold(options) >= 0 && neg_threshold(options) <= options.threshold)) {
    return invalid("neg_threshold", "0 to threshold");
  }
  if (!is_time(options.min_speech_duration_ms)) {
    return invalid("min_speech_duration_ms", "0 to a day");
  }
  if (!is_time(options.min_silence_duration_ms)) {
    return invalid("min_silence_duration_ms", "0 to a day");
  }
  if (!is_time(options.min_silence_at_max_speech)) {
    return invalid("min_silence_at_max_speech", "0 to a day");
  }
  if (!is_time(options.speech_pad_ms)) return invalid("speech_pad_ms", "0 to a day");
  if (!(max_speech_samples(options) > 0)) {
    return invalid("max_speech_duration_s", "longer than the padding at both ends and 32 ms");
  }
  return {};
}

SpeechSegmenter::SpeechSegmenter(const SpeechOptions& options)
    : limits_{options.threshold,
              neg_threshold(options),
              max_speech_samples(options),
              options.min_speech_duration_ms * samples_per_ms,
              options.min_silence_duration_ms * samples_per_ms,
              options.min_silence_at_max_speech * samples_per_ms,
              options.speech_pad_ms * samples_per_ms} {}

void SpeechSegmenter::push(float probability, std::vector<SpeechRegion>& regions) {
  State& s = state_;
  const bool is_speech = probability >= limits_.threshold;
  if (is_speech && s.silence_begin) {
    const SpeechRegion silence{*s.silence_begin, s.now};
    if (silence.length() > limits_.min_silence_at_max_speech &&
        silence.length() > s.longest_silence.length()) {
      s.longest_silence = silence;
    }
    s.silence_begin.reset();
  }
  if (is_speech && !s.speech_begin) {
    s.speech_begin = s.now;
  } else if (s.speech_begin && cut_if_too_long(regions) && probability < limits_.neg_threshold) {
    if (!s.silence_begin) s.silence_begin = s.now;
    if (s.now - *s.silence_begin >= limits_.min_silence) {
      if (*s.silence_begin - *s.speech_begin > limits_.min_speech) {
        close(*s.silence_begin, regions);
      }
      s.speech_begin.reset();
      s.silence_begin.reset();
      s.longest_silence = {};
    }
  }
  emit_if_certain(regions);
  s.now += SileroVad::chunk_samples;
}

void SpeechSegmenter::finish(std::int64_t total_samples, std::vector<SpeechRegion>& regions) {
  if (state_.speech_begin && total_samples - *state_.speech_begin > limits_.min_speech) {
    close(total_samples, regions);
  }
  if (state_.held) {
    regions.push_back(
        {state_.held->begin, std::min(total_samples, state_.held->end + limits_.pad)});
  }
  state_ = {};
}

// The rest after a cut at a silence goes on as a region of its own. Silences between the cut and
// now are forgotten, and the current silence begins anew, as in the reference.
bool SpeechSegmenter::cut_if_too_long(std::vector<SpeechRegion>& regions) {
  State& s = state_;
  if (static_cast<double>(s.now - *s.speech_begin) <= limits_.max_speech) return true;
  const SpeechRegion silence = s.longest_silence;
  s.silence_begin.reset();
  s.longest_silence = {};
  if (silence.length() > 0) {
    close(silence.begin, regions);
    s.speech_begin = silence.end;
    return true;
  }
  close(s.now, regions);
  s.speech_begin.reset();
  return false;
}

// Pads the current region at its begin, and with that the end of the one before: two neighbours
// share the silence between them.
void SpeechSegmenter::close(std::int64_t end, std::vector<SpeechRegion>& regions) {
  SpeechRegion region{*state_.speech_begin, end};
  std::int64_t pad = limits_.pad;
  if (state_.held) {
    const std::int64_t silence = region.begin - state_.held->end;
    if (silence < 2 * pad) pad = silence / 2;
    regions.push_back({state_.held->begin, state_.held->end + pad});
  }
  region.begin = std::max<std::int64_t>(0, region.begin - pad);
  state_.held = region;
}

void SpeechSegmenter::emit_if_certain(std::vector<SpeechRegion>& regions) {
  if (!state_.held) return;
  const std::int64_t next = state_.speech_begin.value_or(state_.now);
  if (next - state_.held->end < 2 * limits_.pad) return;
  regions.push_back({state_.held->begin, state_.held->end + limits_.pad});
  state_.held.reset();
}

}  // namespace engine
