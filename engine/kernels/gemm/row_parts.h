#pragma once

namespace engine::kernels {

// Returns how many of `count` rows come next where they are taken in as few parts of `most` rows at
// most as there can be, all of nearly the same size: a part of one row costs as much as one of
// four.
constexpr int even_part(int count, int most) {
  const int parts = (count + most - 1) / most;
  return (count + parts - 1) / parts;
}

}  // namespace engine::kernels
