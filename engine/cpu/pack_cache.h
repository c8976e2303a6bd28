#pragma once

#include <filesystem>

#include "engine/cpu/packed_whisper.h"

namespace engine::cpu {

// Where packed models are kept from one start to the next: $CACHE_DIRECTORY, which systemd sets, or
// scribed's folder in $XDG_CACHE_HOME or ~/.cache. Empty where there is none of them.
std::filesystem::path pack_cache_folder();

// The packed model of these weights. Where `folder` holds it, loading is mapping a file: nothing is
// read before it is needed, and processes share it. Otherwise it is packed, into a new file there,
// or into memory where that cannot be written. A file belongs to the model file of one path, size
// and time; those of files that have changed or gone are removed when a new one is written.
PackedWhisper load_packed(const Weights& weights, const std::filesystem::path& folder);

}  // namespace engine::cpu
