#include "engine/whisper/cpu/frames.h"

#include "engine/whisper/cpu/row_block.h"

namespace engine::cpu {

Frames::Frames(int count, int width, const Matrix& weight) : width_(width) {
  if (takes_float32(weight)) {
    floats_.resize(area(count + 2, width));
  } else {
    halves_.resize(area(count + 2, width));
  }
}

void Frames::set(int frame, const float* column, std::ptrdiff_t stride) {
  const std::size_t row = area(frame + 1, width_);
  for (int i = 0; i < width_; ++i) {
    const std::size_t at = row + static_cast<std::size_t>(i);
    if (halves_.empty()) {
      floats_[at] = column[i * stride];
    } else {
      halves_[at] = kernels::to_bfloat16(column[i * stride]);
    }
  }
}

kernels::Output Frames::gelu_from(int frame) {
  const std::size_t row = area(frame + 1, width_);
  if (halves_.empty()) return {kernels::Store::exact_gelu, &floats_[row], width_};
  return {kernels::Store::gelu_bfloat16, &halves_[row], width_};
}

Rows Frames::around(int frame, int step) const {
  const std::size_t row = area(frame, width_);
  const std::ptrdiff_t stride = std::ptrdiff_t{step} * width_;
  if (halves_.empty()) return kernels::Float32Rows{&floats_[row], stride};
  return kernels::Bfloat16Rows{&halves_[row], stride};
}

}  // namespace engine::cpu
