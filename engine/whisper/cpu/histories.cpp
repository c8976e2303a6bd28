#include "engine/whisper/cpu/histories.h"

#include <cstddef>
#include <utility>

namespace engine::cpu {

ReorderedHistories reordered(const Histories& before, std::span<const int> sources) {
  std::vector<bool> is_continued(before.size());
  for (const int source : sources) is_continued[static_cast<std::size_t>(source)] = true;
  Histories left_over;
  for (std::size_t row = 0; row < before.size(); ++row) {
    if (!is_continued[row]) left_over.push_back(before[row]);
  }
  ReorderedHistories after;
  for (const int source : sources) {
    const auto from = static_cast<std::size_t>(source);
    if (is_continued[from]) {
      is_continued[from] = false;
      after.rows.push_back(before[from]);
      continue;
    }
    after.rows.push_back(std::move(left_over.back()));
    left_over.pop_back();
    after.copies.push_back({before[from].get(), after.rows.back().get()});
  }
  return after;
}

}  // namespace engine::cpu
