#include "engine/torch_parts/library_entry.h"

#include <string_view>

#include "engine/torch_parts/parts_of_libtorch.h"

extern "C" const engine::TorchParts* scribed_torch_parts(const char* program_version) {
  return std::string_view(program_version) == SCRIBED_VERSION ? &engine::parts_of_libtorch()
                                                              : nullptr;
}
