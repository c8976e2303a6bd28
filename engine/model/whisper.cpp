#include "engine/model/whisper.h"

#include <c10/core/InferenceMode.h>

#include <utility>

#include "engine/model/attention.h"
#include "engine/model/exception_error.h"

namespace engine {
namespace {

bool has_whisper_heads(const ModelDims& dims) {
  return dims.n_audio_state == dims.n_audio_head * head_dim &&
         dims.n_text_state == dims.n_text_head * head_dim;
}

}  // namespace

Result<Whisper> load_whisper(std::shared_ptr<const Weights> weights, const Placement& placement) {
  if (!has_whisper_heads(weights->dims())) {
    return Error{Errc::refused_model,
                 "the model's attention heads are not 64 wide, as Whisper's are",
                 "Use a Whisper model of OpenAI's architecture."};
  }
  const c10::InferenceMode inference;
  try {
    AudioEncoder encoder(*weights, placement);
    TextDecoder decoder(weights, placement);
    return Whisper{weights->dims(), placement, std::move(encoder), std::move(decoder)};
  } catch (...) {
    return error_of_current_exception("model");
  }
}

}  // namespace engine
