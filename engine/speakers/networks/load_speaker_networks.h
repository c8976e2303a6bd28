#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <memory>

#include "engine/error.h"
#include "engine/speakers/speaker_networks.h"
#include "engine/torch/compute_type.h"

namespace engine {

// Loads the model from its folder. On a CPU embeddings are computed in `type`; all else, and all on
// a GPU, is float32. Errors: not_found, unreadable, damaged_model, out_of_memory, and those of the
// device.
Result<std::shared_ptr<const SpeakerNetworks>> load_speaker_networks(
    const std::filesystem::path& folder, at::Device device, ComputeType type);

}  // namespace engine
