#include "engine/whisper/torch_model/whisper.h"

#include <c10/core/InferenceMode.h>

#include <utility>

#include "engine/torch/torch_error.h"
#include "engine/whisper/torch_model/attention.h"

namespace engine {

Result<Whisper> load_whisper(std::shared_ptr<const Weights> weights, const Placement& placement) {
  if (const auto heads = check_heads(weights->dims()); !heads) return heads.error();
  const c10::InferenceMode inference;
  try {
    AudioEncoder encoder(*weights, placement);
    TextDecoder decoder(weights, placement);
    return Whisper{weights->dims(), placement, std::move(encoder), std::move(decoder)};
  } catch (...) {
    return error_of_torch_exception("model");
  }
}

}  // namespace engine
