#pragma once

#include "engine/torch_parts/torch_parts.h"

namespace engine {

// Returns the functions themselves, for who is linked with libtorch.
const TorchParts& parts_of_libtorch();

}  // namespace engine
