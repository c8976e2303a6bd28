#include "engine/live/turn_sounds.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace engine {

Result<std::vector<live::Piece>> TurnSounds::take(std::chrono::milliseconds wait) {
  auto pieces = source_.take(wait);
  if (!pieces) return pieces;
  for (const live::Piece& piece : *pieces) {
    if (const auto* sound = std::get_if<live::Sound>(&piece)) keep(*sound);
    if (const auto* dropped = std::get_if<live::TurnDropped>(&piece)) sounds_.erase(dropped->turn);
  }
  return pieces;
}

void TurnSounds::keep(const live::Sound& sound) {
  std::vector<float>& kept = sounds_[sound.turn];
  const std::size_t count = std::min(sound.samples.size(), most_ - kept.size());
  kept.insert(kept.end(), sound.samples.begin(),
              sound.samples.begin() + static_cast<std::ptrdiff_t>(count));
}

std::vector<float> TurnSounds::give_up(int turn) {
  auto found = sounds_.extract(turn);
  sounds_.erase(sounds_.begin(), sounds_.lower_bound(turn));
  return found ? std::move(found.mapped()) : std::vector<float>();
}

}  // namespace engine
