#pragma once

#include <cstdint>
#include <utility>

namespace engine {

// Returns the two keys of one row's random numbers. Rows of one seed have different ones
// (SplitMix64).
std::pair<std::uint32_t, std::uint32_t> noise_keys(std::uint64_t seed, int row);

// Returns a number's hash, C. Wellons' lowbias32; different numbers have different ones.
std::uint32_t scramble(std::uint32_t x);

}  // namespace engine
