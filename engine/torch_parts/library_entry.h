#pragma once

#include "engine/torch_parts/torch_parts.h"

// The one function that libscribed-torch.so is asked for, by the name below. It returns nullptr to
// a program of another version than the library's, whose table need not be alike: an upgrade may
// replace the library beside a worker that runs.
extern "C" const engine::TorchParts* scribed_torch_parts(const char* program_version);

namespace engine {

inline constexpr char torch_parts_library[] = "libscribed-torch.so";
inline constexpr char torch_parts_function[] = "scribed_torch_parts";

}  // namespace engine
