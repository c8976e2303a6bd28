#pragma once

namespace engine::kernels {

// Returns how many of `count` rows come next where they are taken in as few parts of `most` rows at
// most as there can be, all of nearly the same size: a part of one row costs as much as one of
// four. Of no rows there is no part.
constexpr int even_part(int count, int most) {
  if (count == 0) return 0;
  const int parts = (count + most - 1) / most;
  return (count + parts - 1) / parts;
}

}  // namespace engine::kernels
