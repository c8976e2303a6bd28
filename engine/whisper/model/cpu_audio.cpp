#include "engine/whisper/model/cpu_audio.h"

#include <utility>

#include "engine/whisper/constants.h"

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

bool is_accurate_in_short_windows(const ModelDims& dims, cpu::MatrixType type) {
  const bool is_base = dims.n_vocab == multilingual_vocabulary && dims.n_audio_state == 512 &&
                       dims.n_audio_layer == 6 && dims.n_text_layer == 6;
  return is_base && type == cpu::MatrixType::int8;
}

}  // namespace engine
