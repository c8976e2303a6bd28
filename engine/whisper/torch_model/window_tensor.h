#pragma once

#include <ATen/ATen.h>

#include "engine/whisper/audio/mel_window.h"
#include "engine/whisper/weights/dims.h"

namespace engine {

// Returns a view of the window, [n_mels, 3000] float32. Throws where it has another size.
inline at::Tensor window_tensor(const MelWindow& mel, const ModelDims& dims) {
  const std::int64_t frames = 2 * dims.n_audio_ctx;
  TORCH_CHECK(std::ssize(mel) == dims.n_mels * frames, "the window has the wrong size");
  return at::from_blob(const_cast<float*>(mel.data()), {dims.n_mels, frames}, at::kFloat);
}

}  // namespace engine
