#pragma once

#include <span>
#include <vector>

namespace engine {

// The slots of the rows of a decode after rows went on with the histories of others.
struct RowMoves {
  std::vector<int> slots;  // by row
  // The slots to copy, from → to; no slot is on both sides.
  std::vector<int> from;
  std::vector<int> to;
};

// slots    by row, before
// sources  whose history each row continues
// Only what is continued more than once is copied, to slots of histories that nobody continues.
RowMoves move_rows(std::span<const int> slots, std::span<const int> sources);

}  // namespace engine
