#include "engine/model/whisper.h"

#include <c10/core/InferenceMode.h>

#include <new>
#include <utility>

#include "engine/model/attention.h"

namespace engine {
namespace {

bool has_whisper_heads(const ModelDims& dims) {
  return dims.n_audio_state == dims.n_audio_head * head_dim &&
         dims.n_text_state == dims.n_text_head * head_dim;
}

}  // namespace

Result<Whisper> load_whisper(std::shared_ptr<const Weights> weights, ComputeType type) {
  if (!has_whisper_heads(weights->dims())) {
    return Error{Errc::refused_model,
                 "the model's attention heads are not 64 wide, as Whisper's are",
                 "Use a Whisper model of OpenAI's architecture."};
  }
  const c10::InferenceMode inference;
  try {
    AudioEncoder encoder(*weights, type);
    TextDecoder decoder(weights, type);
    return Whisper{weights->dims(), type, std::move(encoder), std::move(decoder)};
  } catch (const std::bad_alloc&) {
    return Error{Errc::out_of_memory, "the model does not fit into this machine's memory",
                 "Use a smaller model, or --compute-type bfloat16."};
  } catch (const c10::Error& error) {
    return Error{Errc::internal, std::string("[model] ") + error.what_without_backtrace(), ""};
  }
}

}  // namespace engine
