#pragma once

#include <span>
#include <vector>

namespace engine {

struct PathStep {
  int row = 0;
  int column = 0;

  bool operator==(const PathStep&) const = default;
};

// Returns the cheapest way of dynamic time warping through `costs` [rows][columns] from its first
// cell to its last by steps of one down, one right or one of both, both ends included. A step of
// both is taken only where it is cheaper than each of the others, and of those a step down only
// where it is cheaper than a step right. The way is empty where there are no cells.
// openai/whisper timing.py `dtw_cpu` has sums of double precision too once numba has compiled it:
// rounding decides between ways that cost nearly the same. It takes one byte a cell.
std::vector<PathStep> dtw(std::span<const float> costs, int rows, int columns);

}  // namespace engine
