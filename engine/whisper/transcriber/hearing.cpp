#include "engine/whisper/transcriber/hearing.h"

#include <algorithm>

#include "engine/whisper/constants.h"

namespace engine {

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

Result<bool> Hearing::is_faint(Clip part) const {
  for (; part.begin < part.end; part.begin += window_frames) {
    const auto frames = std::min<std::int64_t>(part.end - part.begin, window_frames);
    const auto faint = spool_.is_faint(part.begin, static_cast<int>(frames));
    if (!faint || !*faint) return faint;
  }
  return true;
}

}  // namespace engine
