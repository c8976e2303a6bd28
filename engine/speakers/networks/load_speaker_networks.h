#pragma once

#include <filesystem>
#include <memory>

#include "engine/device/compute_type.h"
#include "engine/error.h"
#include "engine/speakers/speaker_networks.h"

namespace engine {

// Loads the model from its folder. On a CPU embeddings are computed in `type`; all else, and all on
// a GPU, is float32. Errors: not_found, unreadable, damaged_model, out_of_memory, and those of the
// device.
Result<std::shared_ptr<const SpeakerNetworks>> load_speaker_networks(
    const std::filesystem::path& folder, const Device& device, ComputeType type);

}  // namespace engine
