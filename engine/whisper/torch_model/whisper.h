#pragma once

#include <filesystem>
#include <memory>

#include "engine/whisper/torch_model/audio_encoder.h"
#include "engine/whisper/torch_model/text_decoder.h"

namespace engine {

// A Whisper model, packed for one device. One thread at a time uses it.
struct Whisper {
  ModelDims dims;
  Placement placement;
  AudioEncoder encoder;
  TextDecoder decoder;
};

// Converts, moves and packs the weights, one after the other; failures of libtorch and of the
// device come as errors.
Result<Whisper> load_whisper(std::shared_ptr<const Weights> weights, const Placement& placement);

}  // namespace engine
