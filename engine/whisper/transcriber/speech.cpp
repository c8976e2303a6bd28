#include "engine/whisper/transcriber/speech.h"

#include <algorithm>
#include <utility>

#include "engine/vad/window_plan.h"
#include "engine/whisper/audio/log_mel.h"

namespace engine {
namespace {

constexpr double margin_s = 0.3;

// The options are Silero's own, but for the length of regions: a word of a quarter of a second is
// speech, too.
SpeechOptions speech_options() {
  SpeechOptions options;
  options.min_speech_duration_ms = 0;
  return options;
}

std::int64_t samples_of(std::int64_t frames) {
  return frames * hop_length;
}

// Returns the frames that hear any of the samples.
Clip frames_of(std::int64_t begin, std::int64_t end) {
  return {begin / hop_length, (end + hop_length - 1) / hop_length};
}

Clip within(const Clip& clip, const Clip& part) {
  return {std::max(clip.begin, part.begin), std::min(clip.end, part.end)};
}

// Returns what is left of `clip` without the segments, which need not be in order.
std::vector<Clip> without(const Clip& clip, std::span<const Segment> segments) {
  std::vector<Clip> left{clip};
  for (const Segment& segment : segments) {
    if (segment.text.empty()) continue;
    const auto begin = static_cast<std::int64_t>(segment.start * 100);
    const auto end = static_cast<std::int64_t>(segment.end * 100);
    std::vector<Clip> next;
    for (const Clip& piece : left) {
      next.push_back({piece.begin, std::min(piece.end, begin)});
      next.push_back({std::max(piece.begin, end), piece.end});
    }
    std::erase_if(next, [](const Clip& piece) { return piece.begin >= piece.end; });
    left = std::move(next);
  }
  return left;
}

}  // namespace

Speech::Speech(std::vector<float> probabilities, std::int64_t total_samples)
    : probabilities_(std::move(probabilities)) {
  SpeechSegmenter segmenter(speech_options());
  for (const float probability : probabilities_) segmenter.push(probability, regions_);
  segmenter.finish(total_samples, regions_);
}

bool Speech::any_in(const Clip& part) const {
  return !regions_in(part).empty();
}

std::vector<SpeechRegion> Speech::regions_in(const Clip& part) const {
  std::vector<SpeechRegion> found;
  for (const SpeechRegion& region : regions_) {
    const SpeechRegion piece{std::max(region.begin, samples_of(part.begin)),
                             std::min(region.end, samples_of(part.end))};
    if (piece.length() > 0) found.push_back(piece);
  }
  return found;
}

std::vector<Clip> Speech::windows_of(const Clip& part) const {
  WindowPlanOptions options;
  options.margin_s = margin_s;
  // Rounding outwards makes a window of samples up to two frames longer.
  options.max_window_s = static_cast<double>(window_frames - 2) / 100;
  std::vector<Clip> windows;
  for (const PlannedWindow& window :
       plan_windows(regions_in(part), probabilities_, samples_of(part.end), options)) {
    Clip clip = within(frames_of(window.begin, window.end), part);
    // The first of two windows has a frame that they share.
    if (!windows.empty()) clip.begin = std::max(clip.begin, windows.back().end);
    windows.push_back(clip);
  }
  return windows;
}

std::vector<Clip> Speech::unheard_in(const Clip& part, std::span<const Segment> segments) const {
  constexpr std::int64_t min_region = 50;
  constexpr std::int64_t min_piece = 200;  // segments end up to a second beside the speech
  constexpr std::int64_t margin = 20;
  std::vector<Clip> unheard;
  for (const SpeechRegion& region : regions_in(part)) {
    const Clip whole = frames_of(region.begin, region.end);
    for (const Clip& piece : without(whole, segments)) {
      if (piece.end - piece.begin < (piece == whole ? min_region : min_piece)) continue;
      unheard.push_back(within({piece.begin - margin, piece.end + margin}, part));
    }
  }
  return unheard;
}

}  // namespace engine
