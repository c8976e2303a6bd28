#include "engine/whisper/model/cpu_audio.h"

#include <utility>

namespace engine {

CpuAudio::CpuAudio(std::shared_ptr<kernels::KvStore> attended, cpu::WindowRows computed)
    : store(std::move(attended)), rows(std::move(computed)) {}

const CpuAudio& audio_of(const EncodedWindow& window) {
  return static_cast<const CpuAudio&>(*window);
}

cpu::DecoderRow row_of(int token, int position, kernels::KvStore* tokens, const CpuAudio& audio,
                       bool wants_logits) {
  return {token, position, tokens, audio.store.get(), wants_logits, &audio.rows};
}

bool has_measured_short_windows(const ModelDims& dims) {
  return dims.n_audio_state == 512 && dims.n_audio_layer == 6 && dims.n_text_layer == 6;
}

}  // namespace engine
