#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/decoding/window_decoding.h"
#include "engine/model/model.h"
#include "engine/runner/device.h"

namespace engine {

class DeviceLoop;

// Makes the model; called once, on the device thread, with the device open.
using ModelLoader = std::function<Result<std::unique_ptr<Model>>()>;

// Owns the model and the device thread, which alone loads, runs and drops it. Any number of threads
// may call it at once; each call blocks its caller until its own result is there. Decodes that are
// under way take their steps together, so that no caller waits for another's whole window.
class Runner {
 public:
  // Opens the device and loads the model. A device that cannot be used is device_unavailable, with
  // the whole text of what libtorch said.
  static Result<std::unique_ptr<Runner>> start(const DeviceOptions& options, ModelLoader load);
  // Ends calls that still wait with `cancelled`; the device's memory is given back when it returns.
  ~Runner();

  const ModelDims& dims() const;

  // mel [n_mels, 3000] float32
  Result<EncodedWindow> encode(at::Tensor mel);

  // Logits [n_vocab] after a lone sot token, from which the language is read.
  Result<at::Tensor> logits_after_sot(EncodedWindow window, int sot);

  // Where the decoder looks in the window for each of the tokens; see Model::attend.
  Result<TokenAttention> attend(EncodedWindow window, std::vector<int> tokens, int n_text,
                                std::vector<std::pair<int, int>> heads);

  // Runs `decoding` to its end. A stop request ends it within a step, with `cancelled`.
  Result<DecodingResult> decode(EncodedWindow window, WindowDecoding decoding,
                                std::stop_token stop);
  // Runs several of one window side by side; their results in their order.
  Result<std::vector<DecodingResult>> decode_together(const EncodedWindow& window,
                                                      std::vector<WindowDecoding> decodings,
                                                      const std::stop_token& stop);

 private:
  explicit Runner(std::unique_ptr<DeviceLoop> loop);

  std::unique_ptr<DeviceLoop> loop_;
};

}  // namespace engine
