#pragma once

#include <filesystem>
#include <memory>

#include "engine/model/audio_encoder.h"
#include "engine/model/text_decoder.h"

namespace engine {

// A Whisper model, packed for one device. Used by one thread at a time.
struct Whisper {
  ModelDims dims;
  ComputeType type;
  AudioEncoder encoder;
  TextDecoder decoder;
};

// Packs the weights; out_of_memory and internal failures of libtorch come as errors.
Result<Whisper> load_whisper(std::shared_ptr<const Weights> weights, ComputeType type);

}  // namespace engine
