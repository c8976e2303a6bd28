#pragma once

#include <string_view>

#include "engine/weights/unpickler.h"

// The few things that a checkpoint's pickle may name and call, made here as plain data.
namespace engine {

// Throws refused_model, naming the global, unless it is one of those few. `global` is the module
// and the name with a newline between.
void require_known_global(std::string_view global);

// What `global(*arguments)` would be, written to `result` or found among the arguments.
PickleValue& make_object(std::string_view global, const PickleValue& arguments,
                         PickleValue& result);

// The storage that a persistent id ("storage", type, key, location, numel, …) stands for.
PickleValue& make_storage(const PickleValue& id, PickleValue& result);

}  // namespace engine
