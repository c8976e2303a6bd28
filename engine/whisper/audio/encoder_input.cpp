#include "engine/whisper/audio/encoder_input.h"

#include <ATen/ATen.h>

#include "engine/whisper/audio/log_mel.h"

namespace engine {

at::Tensor encoder_input(const at::Tensor& frames, float maximum) {
  at::Tensor window = at::zeros({frames.size(1), window_frames}, at::kFloat);
  window.narrow(1, 0, frames.size(0)).copy_(((frames.clamp_min(maximum - 8.0F) + 4.0) / 4.0).t());
  return window;
}

}  // namespace engine
