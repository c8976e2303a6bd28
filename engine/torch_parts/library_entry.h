#pragma once

#include "engine/torch_parts/torch_parts.h"

// The one function that libscribed-torch.so is asked for, by the name below. Program and library
// are built and installed together, so there are no versions to tell apart.
extern "C" const engine::TorchParts* scribed_torch_parts();

namespace engine {

inline constexpr char torch_parts_library[] = "libscribed-torch.so";
inline constexpr char torch_parts_function[] = "scribed_torch_parts";

}  // namespace engine
