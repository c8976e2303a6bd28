#include "engine/torch_parts/parts_of_libtorch.h"

// This is for programs that are linked with libtorch: the workers for GPUs, and tests.
namespace engine {

Result<const TorchParts*> torch_parts() {
  return &parts_of_libtorch();
}

}  // namespace engine
