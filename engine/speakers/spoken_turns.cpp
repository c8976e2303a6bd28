#include "engine/speakers/spoken_turns.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "engine/audio/sample_rate.h"
#include "engine/vad/silero_vad.h"

namespace engine {
namespace {

constexpr float speech_probability = 0.5F;
constexpr double short_turn_s = 0.5;

bool has_speech(const Turn& turn, std::span<const float> speech) {
  constexpr double chunks_per_s = double{sample_rate_hz} / SileroVad::chunk_samples;
  const auto end = std::min(static_cast<std::size_t>(turn.end * chunks_per_s) + 1, speech.size());
  const auto begin = std::min(static_cast<std::size_t>(turn.start * chunks_per_s), end);
  return std::ranges::any_of(speech.subspan(begin, end - begin),
                             [](float p) { return p >= speech_probability; });
}

}  // namespace

Result<std::shared_ptr<const SileroWeights>> load_second_opinion(
    const std::filesystem::path& file) {
  auto weights = load_silero(file);
  if (weights) return std::make_shared<const SileroWeights>(*std::move(weights));
  const Errc code = weights.error().code;
  if (code != Errc::not_found && code != Errc::device_unavailable) return weights.error();
  return std::shared_ptr<const SileroWeights>();
}

void drop_unspoken(std::vector<Turn>& turns, std::span<const float> speech) {
  if (speech.empty()) return;
  std::set<int> heard;  // speakers
  for (const Turn& turn : turns) {
    if (has_speech(turn, speech)) heard.insert(turn.speaker);
  }
  std::erase_if(turns, [&](const Turn& turn) {
    const bool may_be_missed = turn.end - turn.start < short_turn_s && heard.contains(turn.speaker);
    return !may_be_missed && !has_speech(turn, speech);
  });
}

}  // namespace engine
