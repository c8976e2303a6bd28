#pragma once

#include <vector>

#include "engine/worker/reach.h"
#include "platform/shield.h"

namespace engine {

// Does what needs no knowledge of the model: no core file, which would hold what was said, no new
// rights by a program, and hardly any of root's. main() calls it first of all.
void drop_privileges();

// Gives up, for the rest of this process, all that a model needs not: files beyond its reach, the
// network, programs, and other processes. Call it once, while the process has one thread and before
// a byte of a model is read.
std::vector<platform::Shield> enter_sandbox(const Reach& reach);

}  // namespace engine
