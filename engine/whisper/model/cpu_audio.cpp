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

ShortWindows short_windows_of(const ModelDims& dims, cpu::MatrixType type) {
  constexpr int state_of_tiny = 384;
  constexpr int state_of_base = 512;
  const bool is_rounded = type == cpu::MatrixType::int8 || type == cpu::MatrixType::bfloat16;
  if (!is_rounded) return ShortWindows::on_request;
  const bool is_multilingual = dims.n_vocab == multilingual_vocabulary;
  if (dims.n_audio_state == state_of_base && dims.n_audio_layer == 6 && dims.n_text_layer == 6 &&
      is_multilingual && type == cpu::MatrixType::int8) {
    return ShortWindows::by_default;
  }
  const bool is_tiny = dims.n_audio_state == state_of_tiny;
  if (dims.n_audio_state < state_of_tiny || (is_tiny && !is_multilingual)) {
    return ShortWindows::on_request;
  }
  return ShortWindows::by_trial;
}

}  // namespace engine
