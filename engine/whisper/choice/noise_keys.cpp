#include "engine/whisper/choice/noise_keys.h"

namespace engine {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> noise_keys(std::uint64_t seed, int row) {
  std::uint64_t state = seed;
  state = split_mix(state) + static_cast<std::uint64_t>(row);
  const std::uint64_t keys = split_mix(state);
  return {static_cast<std::uint32_t>(keys), static_cast<std::uint32_t>(keys >> 32)};
}

std::uint32_t scramble(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352d;
  x = (x ^ (x >> 15)) * 0x846ca68b;
  return x ^ (x >> 16);
}

}  // namespace engine
