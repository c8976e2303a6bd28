#pragma once

#include <cstdint>
#include <span>

namespace engine {

// Draws tokens of one row by Gumbel-max with the numbers of random_noise.h, so that it draws what a
// device draws that takes the same logits: each number depends on the seed, the row, the position
// and the token alone.
class RowSampler {
 public:
  RowSampler(std::uint64_t seed, int row, double temperature);

  // logits    [n_vocab]
  // position  of the last token that was read; no two draws share it
  int draw(std::span<const float> logits, int position) const;

 private:
  std::uint32_t key_;
  std::uint32_t other_key_;
  float temperature_;
};

}  // namespace engine
