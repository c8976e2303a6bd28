#include "engine/whisper/cpu/narrow_heads.h"

#include <algorithm>
#include <utility>

namespace engine::cpu {

void fill_up(std::vector<float>& numbers, std::size_t width, std::size_t filled) {
  if (width == filled) return;
  const std::size_t groups = numbers.size() / width;
  std::vector<float> wide(groups * filled);
  for (std::size_t i = 0; i < groups; ++i) {
    std::copy_n(&numbers[i * width], width, &wide[i * filled]);
  }
  numbers = std::move(wide);
}

}  // namespace engine::cpu
