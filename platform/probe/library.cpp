#include "platform/probe/library.h"

#include <dlfcn.h>
#if defined(__linux__)
#include <link.h>
#endif

namespace platform {
namespace {

// Returns the loader's own record of where a library came from.
std::string path_of(void* handle, const std::string& name) {
#if defined(__linux__)
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && *map->l_name != '\0') {
    return map->l_name;
  }
#else
  static_cast<void>(handle);
#endif
  return name;
}

}  // namespace

void Library::Close::operator()(void* handle) const noexcept {
  ::dlclose(handle);
}

Result<Library> Library::open(const std::string& name) {
  void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) {
    const char* reason = ::dlerror();
    return Error{.message = reason != nullptr ? reason : "cannot load " + name};
  }
  return Library(handle, path_of(handle, name));
}

void* Library::symbol(const char* name) const {
  return ::dlsym(handle_.get(), name);
}

}  // namespace platform
