#include "engine/whisper/words/dtw.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace engine {
namespace {

// The step by which the cheapest way came to a cell.
enum class Came : std::uint8_t { both, down, right };

class Trace {
 public:
  Trace(int rows, int columns)
      : columns_(static_cast<std::size_t>(columns)),
        cells_(static_cast<std::size_t>(rows) * columns_) {}

  Came& at(int row, int column) {
    return cells_[static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column)];
  }

 private:
  std::size_t columns_;
  std::vector<Came> cells_;
};

std::vector<PathStep> backtrace(Trace& trace, int row, int column) {
  std::vector<PathStep> path{{row, column}};
  while (row > 0 || column > 0) {
    // At the first row or column there is only one way on, whatever the trace says.
    const Came came = row == 0 ? Came::right : column == 0 ? Came::down : trace.at(row, column);
    if (came != Came::right) --row;
    if (came != Came::down) --column;
    path.push_back({row, column});
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace

std::vector<PathStep> dtw(std::span<const float> costs, int rows, int columns) {
  if (rows <= 0 || columns <= 0) return {};
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto width = static_cast<std::size_t>(columns);
  Trace trace(rows, columns);
  // These are the cheapest sums up to each cell, with a column in front that no way leads to.
  std::vector<double> above(width + 1, never);
  std::vector<double> here(width + 1, never);
  above[0] = 0;
  for (int row = 0; row < rows; ++row) {
    const auto costs_here = costs.subspan(static_cast<std::size_t>(row) * width, width);
    here[0] = never;
    for (int column = 0; column < columns; ++column) {
      const auto i = static_cast<std::size_t>(column);
      const double both = above[i];
      const double down = above[i + 1];
      const double right = here[i];
      double best = right;
      Came came = Came::right;
      if (both < down && both < right) {
        best = both;
        came = Came::both;
      } else if (down < both && down < right) {
        best = down;
        came = Came::down;
      }
      here[i + 1] = costs_here[i] + best;
      trace.at(row, column) = came;
    }
    std::swap(above, here);
  }
  return backtrace(trace, rows - 1, columns - 1);
}

}  // namespace engine
