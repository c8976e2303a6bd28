#pragma once

#include <string_view>

#include "engine/weights/unpickler.h"

// These functions make the few objects that a checkpoint's pickle may name and call, as plain data.
namespace engine {

// Throws refused_model, naming the global, unless it is one of those few. `global` is the module
// and the name with a newline between.
void require_known_global(std::string_view global);

// Returns what `global(*arguments)` would be, written to `result` or found among the arguments.
PickleValue& make_object(std::string_view global, const PickleValue& arguments,
                         PickleValue& result);

// Returns the storage that a persistent id ("storage", type, key, location, numel, …) stands for.
PickleValue& make_storage(const PickleValue& id, PickleValue& result);

}  // namespace engine
