#pragma once

#include <memory>

#include "engine/kernels/decoder_attention/decoder_attention_store.h"
#include "engine/whisper/cpu/decoder.h"
#include "engine/whisper/cpu/matrix.h"
#include "engine/whisper/cpu/window_rows.h"
#include "engine/whisper/model/model.h"

namespace engine {

// An encoded window of CpuModel: the decoder's keys and values of the rows that were computed.
struct CpuAudio : EncodedAudio {
  CpuAudio(std::shared_ptr<kernels::KvStore> attended, cpu::WindowRows computed);
  bool is_short() const override { return !rows.is_full(); }

  std::shared_ptr<kernels::KvStore> store;
  cpu::WindowRows rows;
};

// The window must be one that CpuModel encoded.
const CpuAudio& audio_of(const EncodedWindow& window);

// Returns a row of the decoder that reads the window.
cpu::DecoderRow row_of(int token, int position, kernels::KvStore* tokens, const CpuAudio& audio,
                       bool wants_logits);

// Returns whether a model has short windows by default. base in int8 was measured to make as few
// errors as in full ones, tiny.en to make more. base in bfloat16 made 0.3 points more (−0.1 to
// 0.9), so it is tried, as others in int8 and bfloat16 are, but for those that are smaller than
// tiny; float32 and float16 stay what openai/whisper computes.
ShortWindows short_windows_of(const ModelDims& dims, cpu::MatrixType type);

}  // namespace engine
