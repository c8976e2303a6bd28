#include "engine/torch_parts/library_entry.h"
#include "engine/torch_parts/load_library.h"
#include "engine/torch_parts/torch_parts.h"
#include "platform/runtime_pack.h"

// The worker for CPUs has this: most of its jobs need no libtorch.
namespace engine {

Result<const TorchParts*> torch_parts() {
  static const Result<const TorchParts*> parts =
      load_library(platform::program_folder() / torch_parts_library);
  return parts;
}

}  // namespace engine
