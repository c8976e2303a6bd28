#include "engine/torch_parts/library_entry.h"

#include "engine/torch_parts/parts_of_libtorch.h"

extern "C" const engine::TorchParts* scribed_torch_parts() {
  return &engine::parts_of_libtorch();
}
