#include "engine/whisper/transcriber/hearing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/whisper/constants.h"

namespace engine {
namespace {

// The least silence that is passed over, and how much of it the next window begins with.
constexpr std::int64_t least_passed_over = 100, frames_before_speech = 30;
constexpr std::int64_t least_background = 500;  // of what is faint or steady

}  // namespace

Result<std::int64_t> Hearing::first_spoken() const {
  if (speech_) return speech_->first_spoken();
  constexpr std::int64_t step = 100;
  for (std::int64_t begin = 0; begin < content_frames_; begin += step) {
    const auto faint = is_faint({begin, std::min(begin + step, content_frames_)});
    if (!faint) return faint.error();
    if (!*faint) return begin;
  }
  return 0;
}

Result<std::int64_t> Hearing::last_spoken(const Clip& part) const {
  if (speech_) {
    const auto spoken = speech_->spoken_in(part);
    return spoken ? spoken->end : part.begin;
  }
  constexpr std::int64_t step = 10;
  for (std::int64_t end = part.end; end > part.begin; end -= step) {
    const auto faint = is_faint({std::max(part.begin, end - step), end});
    if (!faint) return faint.error();
    if (!*faint) return end;
  }
  return part.begin;
}

Result<bool> Hearing::is_silent(const Clip& part) const {
  if (!speech_) return is_faint(part);
  const Clip heard{part.begin, std::clamp(speech_->heard(), part.begin, part.end)};
  // VAD takes a click for speech now and then.
  constexpr std::int64_t longest_click = 25;
  const auto most = std::min(longest_click, (heard.end - heard.begin) / 10 + 1);
  if (speech_->frames_in(heard) >= most) return false;
  return heard.end == part.end ? Result<bool>(true) : is_faint({heard.end, part.end});
}

bool Hearing::is_spoken(const Clip& part) const {
  constexpr std::int64_t enough = 100;
  return speech_ &&
         speech_->frames_in({part.begin, std::min(part.end, speech_->heard())}) >= enough;
}

Result<std::int64_t> Hearing::after_silence(Clip part) const {
  while (part.begin < part.end) {
    const auto end = end_of_silence(part);
    if (!end || *end == part.begin) return end;
    part.begin = *end;
  }
  return part.end;
}

Result<std::int64_t> Hearing::end_of_silence(const Clip& part) const {
  const Clip window{part.begin, std::min(part.begin + window_frames, part.end)};
  const auto frames = static_cast<int>(window.end - window.begin);
  const auto silent = spool_.silent_ends(window.begin, frames);
  if (!silent) return silent.error();
  if (silent->before == frames) return window.begin;
  if (silent->before >= least_passed_over) {
    return window.begin + silent->before - frames_before_speech;
  }

  const auto faint = end_of_faint(window);
  return !faint || *faint > window.begin ? faint : end_of_noise(window);
}

Result<std::int64_t> Hearing::end_of_faint(const Clip& window) const {
  if (!speech_) return window.begin;
  const Clip heard{window.begin, std::clamp(speech_->heard(), window.begin, window.end)};
  const std::int64_t end = begin_of_voice(heard);
  if (end - window.begin < least_background) return window.begin;
  const auto faint = is_faint({window.begin, end});
  if (!faint) return faint.error();
  return *faint ? end : window.begin;
}

Result<std::int64_t> Hearing::end_of_noise(const Clip& window) const {
  const bool is_heard = speech_ && speech_->heard() > window.begin;
  const std::int64_t end = is_heard ? begin_of_voice(window) : window.end;
  if (end <= window.begin) return window.begin;
  // The rest of a recording may be short, but end noise that began before.
  const bool is_rest = end == window.end && end - window.begin < least_background;
  const std::int64_t begin =
      is_rest ? std::max<std::int64_t>(0, end - least_background) : window.begin;
  const auto frames = static_cast<int>(end - begin);
  const auto steady = spool_.steady_frames(begin, frames);
  if (!steady) return steady.error();
  if (*steady == frames) return end;
  return *steady == 0 ? window.begin : window.begin + *steady - frames_before_speech;
}

std::int64_t Hearing::begin_of_voice(const Clip& part) const {
  const auto spoken = speech_->spoken_in(part);
  return spoken ? spoken->begin - frames_before_speech : part.end;
}

Result<void> Hearing::move_to_sound(std::span<Segment> segments) const {
  for (Segment& segment : segments) {
    if (const auto moved = move_to_sound(segment); !moved) return moved;
  }
  return {};
}

Result<void> Hearing::move_to_sound(Segment& segment) const {
  if (const auto moved = move_to_sound(segment.start, segment.end); !moved) return moved;
  for (auto& word : segment.words) {
    if (const auto moved = move_to_sound(word.start, word.end); !moved) return moved;
  }
  if (segment.words.empty()) return {};
  segment.start = segment.words.front().start;
  segment.end = segment.words.back().end;
  return {};
}

Result<void> Hearing::move_to_sound(double& start, double& end) const {
  constexpr int least = 4;  // frames; a frame hears what is up to 12 ms beside it
  const auto first = static_cast<std::int64_t>(std::floor(start * frames_per_second));
  const auto last = static_cast<std::int64_t>(std::ceil(end * frames_per_second));
  const auto frames = static_cast<int>(std::min<std::int64_t>(last - first, window_frames));
  if (frames <= 0) return {};
  const auto silent = spool_.silent_ends(first, frames);
  if (!silent) return silent.error();
  if (silent->before + silent->after >= frames) return {};
  if (silent->before >= least) {
    start = static_cast<double>(first + silent->before) / frames_per_second;
  }
  if (silent->after >= least) {
    end = static_cast<double>(first + frames - silent->after) / frames_per_second;
  }
  return {};
}

Result<std::int64_t> Hearing::after_pause(const Clip& window) const {
  const auto begin = begin_of_speech(window);
  if (!begin) return begin.error();
  if (*begin - window.begin < least_passed_over) return window.end;
  return *begin == window.end ? window.end : *begin - frames_before_speech;
}

// A click is no speech: half of the second from its first step on has to be speech, too.
Result<std::int64_t> Hearing::begin_of_speech(const Clip& part) const {
  constexpr std::int64_t step = 10, steps_of_second = 10;
  std::vector<std::int64_t> spoken;  // the beginnings of such steps, in order
  for (std::int64_t begin = part.begin; begin < part.end; begin += step) {
    const auto may_be = may_be_speech({begin, std::min(begin + step, part.end)});
    if (!may_be) return may_be.error();
    if (*may_be) spoken.push_back(begin);
  }
  for (auto first = spoken.begin(); first != spoken.end(); ++first) {
    const std::int64_t end = std::min(*first + step * steps_of_second, part.end);
    if (std::lower_bound(first, spoken.end(), end) - first >= (end - *first) / step / 2) {
      return *first;
    }
  }
  return part.end;
}

Result<bool> Hearing::may_be_speech(const Clip& step) const {
  if (speech_ && speech_->heard() >= step.end) return speech_->any_in(step);
  const auto faint = is_faint(step);
  return faint ? Result<bool>(!*faint) : faint;
}

Result<bool> Hearing::is_faint(Clip part) const {
  for (; part.begin < part.end; part.begin += window_frames) {
    const auto frames = std::min<std::int64_t>(part.end - part.begin, window_frames);
    const auto faint = spool_.is_faint(part.begin, static_cast<int>(frames));
    if (!faint || !*faint) return faint;
  }
  return true;
}

}  // namespace engine
