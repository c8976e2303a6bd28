#include "engine/whisper/transcriber/window_segments.h"

namespace engine {
namespace {

constexpr double seconds_per_timestamp = 0.02;
constexpr std::int64_t frames_per_timestamp = 2;

std::vector<int> copy(std::span<const int> tokens) {
  return {tokens.begin(), tokens.end()};
}

}  // namespace

WindowSegments split_window(std::span<const int> tokens, int timestamp_begin, std::int64_t frames) {
  const auto is_timestamp = [&](std::size_t i) {
    return engine::is_timestamp(tokens[i], timestamp_begin);
  };
  const auto position = [&](std::size_t i) { return tokens[i] - timestamp_begin; };
  const std::size_t n = tokens.size();
  const bool silence_until_end = n >= 2 && !is_timestamp(n - 2) && is_timestamp(n - 1);

  std::vector<std::size_t> cuts;
  for (std::size_t i = 1; i < n; ++i) {
    if (is_timestamp(i - 1) && is_timestamp(i)) cuts.push_back(i);
  }

  WindowSegments result;
  result.advance = frames;
  result.silence_until_end = silence_until_end;
  if (cuts.empty()) {
    // Without a pair the window is one segment; a lone timestamp after the start is its end.
    double duration = static_cast<double>(frames) / 100;
    for (std::size_t i = n; i-- > 0;) {
      if (!is_timestamp(i)) continue;
      if (position(i) != 0) duration = position(i) * seconds_per_timestamp;
      break;
    }
    result.segments.push_back({0, duration, copy(tokens)});
    return result;
  }

  if (silence_until_end) cuts.push_back(n);
  std::size_t begin = 0;
  for (const std::size_t end : cuts) {
    result.segments.push_back({position(begin) * seconds_per_timestamp,
                               position(end - 1) * seconds_per_timestamp,
                               copy(tokens.subspan(begin, end - begin))});
    begin = end;
  }
  // A last pair at 0.00 would keep the loop where it is.
  if (!silence_until_end && position(begin - 1) > 0) {
    result.advance = position(begin - 1) * frames_per_timestamp;
  }
  return result;
}

}  // namespace engine
