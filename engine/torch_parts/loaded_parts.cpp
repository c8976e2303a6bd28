#include <dlfcn.h>

#include "engine/torch_parts/library_entry.h"
#include "engine/torch_parts/torch_parts.h"
#include "platform/runtime_pack.h"

// The worker for CPUs has this: most of its jobs need no libtorch.
namespace engine {
namespace {

// The library is never unloaded: libtorch's operators cannot be registered twice.
Result<const TorchParts*> load() {
  const auto file = platform::program_folder() / torch_parts_library;
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const function = library == nullptr ? nullptr : ::dlsym(library, torch_parts_function);
  if (function == nullptr) {
    return Error{Errc::internal,
                 std::string("the library of what needs libtorch cannot be loaded: ") + ::dlerror(),
                 "Install scribed anew; the library belongs beside scribed-worker."};
  }
  return reinterpret_cast<decltype(&scribed_torch_parts)>(function)();
}

}  // namespace

Result<const TorchParts*> torch_parts() {
  static const Result<const TorchParts*> parts = load();
  return parts;
}

}  // namespace engine
