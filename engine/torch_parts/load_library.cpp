#include "engine/torch_parts/load_library.h"

#include <dlfcn.h>

#include <string>

#include "engine/torch_parts/library_entry.h"

namespace engine {

Result<const TorchParts*> load_library(const std::filesystem::path& file) {
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const function = library == nullptr ? nullptr : ::dlsym(library, torch_parts_function);
  if (function == nullptr) {
    return Error{Errc::internal,
                 std::string("the library of what needs libtorch cannot be loaded: ") + ::dlerror(),
                 "Install scribed anew; the library belongs beside scribed-worker."};
  }
  const auto entry = reinterpret_cast<decltype(&scribed_torch_parts)>(function);
  const TorchParts* const parts = entry(SCRIBED_VERSION);
  if (parts == nullptr) {
    return Error{Errc::internal,
                 file.string() + " is of another version of scribed than its worker (" +
                     SCRIBED_VERSION + ")",
                 "Start scribed again; if that does not help, install it anew."};
  }
  return parts;
}

}  // namespace engine
