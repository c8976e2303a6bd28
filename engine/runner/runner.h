#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/decoding/window_decoding.h"
#include "engine/model/whisper.h"

namespace engine {

class DeviceLoop;

// One encoded 30-second window: what the decoder reads of it. Immutable; many decodes may share it.
using EncodedWindow = std::shared_ptr<const CrossAttention>;

// Owns the model and the device thread that alone touches it. Any number of threads may call it at
// once; each call blocks its caller until its own result is there. Decodes that are under way take
// their steps in turn, so that no caller waits for another's whole window.
class Runner {
 public:
  // `threads`: how many cores a single operation may use.
  Runner(Whisper model, int threads);
  ~Runner();  // ends calls that still wait with `cancelled`

  const ModelDims& dims() const { return dims_; }

  // mel [n_mels, 3000] float32
  Result<EncodedWindow> encode(at::Tensor mel);

  // Logits [n_vocab] after a lone sot token, from which the language is read.
  Result<at::Tensor> logits_after_sot(EncodedWindow window, int sot);

  // Runs `decoding` to its end. A stop request ends it within a step, with `cancelled`.
  Result<DecodingResult> decode(EncodedWindow window, WindowDecoding decoding,
                                std::stop_token stop);

 private:
  ModelDims dims_;
  std::unique_ptr<DeviceLoop> loop_;
};

}  // namespace engine
