#include "engine/whisper/choice/noise_keys.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace engine {
namespace {

TEST(NoiseKeys, DifferForRowsAndSeeds) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> keys;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (int row = 0; row < 50; ++row) keys.insert(noise_keys(seed, row));
  }
  EXPECT_EQ(keys.size(), 2500U);
}

TEST(NoiseKeys, AreScrambledWithoutLosingAny) {
  std::set<std::uint32_t> hashes;
  for (std::uint32_t x = 0; x < 10'000; ++x) hashes.insert(scramble(x));
  EXPECT_EQ(hashes.size(), 10'000U);
}

}  // namespace
}  // namespace engine
