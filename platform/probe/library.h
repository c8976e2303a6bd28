#pragma once

#include <memory>
#include <string>

#include "platform/error.h"

namespace platform {

// A shared library that was loaded by name, as the system's loader looks for it, or by path.
//
// Destroying it never unloads the library: some vendors' libraries hang while they are unloaded,
// which says nothing about whether they answer.
class Library {
 public:
  static Result<Library> open(const std::string& name);

  const std::string& path() const { return path_; }  // path of the file that the loader chose

  // Returns nullptr if the library has no such function: older drivers lack newer names.
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  struct Close {
    void operator()(void* handle) const noexcept;
  };
  Library(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void* symbol(const char* name) const;

  std::unique_ptr<void, Close> handle_;
  std::string path_;
};

}  // namespace platform
