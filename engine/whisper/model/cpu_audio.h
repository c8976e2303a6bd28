#pragma once

#include <memory>

#include "engine/kernels/decoder_attention/decoder_attention_store.h"
#include "engine/whisper/cpu/decoder.h"
#include "engine/whisper/cpu/window_rows.h"
#include "engine/whisper/model/model.h"

namespace engine {

// A window as CpuModel has it: the decoder's keys and values of the rows that were computed.
struct CpuAudio : EncodedAudio {
  CpuAudio(std::shared_ptr<kernels::KvStore> attended, cpu::WindowRows computed);
  bool is_short() const override { return !rows.is_full(); }

  std::shared_ptr<kernels::KvStore> store;
  cpu::WindowRows rows;
};

// The window is one that CpuModel has encoded.
const CpuAudio& audio_of(const EncodedWindow& window);

// Returns a row of the decoder that reads the window.
cpu::DecoderRow row_of(int token, int position, kernels::KvStore* tokens, const CpuAudio& audio,
                       bool wants_logits);

// Returns whether a model has the sizes of base, whose texts of short windows were measured to be
// as good as those of full ones. Those of tiny.en are not.
bool has_measured_short_windows(const ModelDims& dims);

}  // namespace engine
