#pragma once

#include <filesystem>

#include "engine/torch_parts/torch_parts.h"

namespace engine {

// Loads the parts from the library `file`, which is never unloaded: libtorch's operators cannot be
// registered twice. Fails with internal where the library cannot be loaded, has no such function,
// or is of another version of scribed.
Result<const TorchParts*> load_library(const std::filesystem::path& file);

}  // namespace engine
