#pragma once

#include <span>
#include <vector>

namespace engine {

struct PathStep {
  int row = 0;
  int column = 0;

  bool operator==(const PathStep&) const = default;
};

// Dynamic time warping: the cheapest way through `costs` [rows][columns] from its first cell to its
// last by steps of one down, one right or one of both, both ends included. A step of both is taken
// only where it is cheaper than each of the others, and of those a step down only where it is
// cheaper than a step right. Empty where there are no cells.
// openai/whisper timing.py `dtw_cpu`, whose sums are of double precision too once numba has
// compiled it: rounding decides between ways that cost nearly the same.
// Takes one byte a cell.
std::vector<PathStep> dtw(std::span<const float> costs, int rows, int columns);

}  // namespace engine
