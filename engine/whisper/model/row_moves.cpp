#include "engine/whisper/model/row_moves.h"

namespace engine {

RowMoves move_rows(std::span<const int> slots, std::span<const int> sources) {
  std::vector<int> uses(slots.size());
  for (const int source : sources) ++uses[static_cast<std::size_t>(source)];
  std::vector<int> free;
  for (std::size_t row = 0; row < slots.size(); ++row) {
    if (uses[row] == 0) free.push_back(slots[row]);
  }
  RowMoves moves;
  std::vector<bool> taken(slots.size());
  for (const int source : sources) {
    const auto from = static_cast<std::size_t>(source);
    if (taken[from]) {
      moves.from.push_back(slots[from]);
      moves.to.push_back(free.back());
      moves.slots.push_back(free.back());
      free.pop_back();
    } else {
      taken[from] = true;
      moves.slots.push_back(slots[from]);
    }
  }
  return moves;
}

}  // namespace engine
