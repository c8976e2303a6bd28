// A libscribed-torch.so that an upgrade has put beside a worker of the version before.
#include "engine/torch_parts/library_entry.h"

extern "C" const engine::TorchParts* scribed_torch_parts(const char*) {
  return nullptr;
}
