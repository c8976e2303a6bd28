#include "engine/whisper/transcriber/speech.h"

#include <algorithm>
#include <utility>

#include "engine/vad/silero_vad.h"
#include "engine/vad/window_plan.h"
#include "engine/whisper/audio/log_mel.h"
#include "engine/whisper/constants.h"

namespace engine {
namespace {

constexpr std::int64_t frames_of_margin = 30;
constexpr double margin_s = static_cast<double>(frames_of_margin) / frames_per_second;

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
  const auto heard = static_cast<std::int64_t>(probabilities_.size()) * SileroVad::chunk_samples;
  SpeechSegmenter segmenter(speech_options());
  for (const float probability : probabilities_) segmenter.push(probability, regions_);
  segmenter.finish(std::min(heard, total_samples), regions_);
  if (heard < total_samples) regions_.push_back({heard, total_samples});
  heard_ = (heard + hop_length - 1) / hop_length;
}

std::int64_t Speech::frames_in(const Clip& part) const {
  std::int64_t samples = 0;
  for (const SpeechRegion& region : regions_in(part)) samples += region.length();
  return (samples + hop_length - 1) / hop_length;
}

std::optional<Clip> Speech::spoken_in(const Clip& part) const {
  const auto regions = regions_in(part);
  if (regions.empty()) return std::nullopt;
  return within(frames_of(regions.front().begin, regions.back().end), part);
}

std::int64_t Speech::next_window(const Clip& part) const {
  constexpr std::int64_t least_passed_over = 100;
  const auto spoken = spoken_in(part);
  if (!spoken) return part.end;
  return spoken->begin - part.begin < least_passed_over ? part.begin
                                                        : spoken->begin - frames_of_margin;
}

std::int64_t Speech::first_spoken() const {
  constexpr std::int64_t enough = 50;
  std::int64_t best = 0, most = 0;
  for (const SpeechRegion& region : regions_) {
    const std::int64_t begin = region.begin / hop_length;
    const std::int64_t spoken = frames_in({begin, begin + window_frames});
    if (spoken > most) {
      best = begin;
      most = spoken;
    }
    if (most >= enough) break;
  }
  return best;
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

void move_to_speech(Segment& segment, const Speech& speech) {
  constexpr double margin = 0.2, least_moved = 0.5;
  const Clip whole{static_cast<std::int64_t>(segment.start * frames_per_second),
                   static_cast<std::int64_t>(segment.end * frames_per_second)};
  const auto spoken = speech.spoken_in(whole);
  if (!spoken) return;
  const double begin = static_cast<double>(spoken->begin) / frames_per_second - margin;
  const double end = static_cast<double>(spoken->end) / frames_per_second + margin;
  if (begin >= segment.start + least_moved) segment.start = begin;
  if (end <= segment.end - least_moved) segment.end = end;
}

}  // namespace engine
