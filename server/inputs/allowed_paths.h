#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "server/base/error.h"
#include "server/inputs/input.h"

namespace server {

// The folders whose files clients may name. Links inside them may not lead out of them. Each folder
// is opened once and held: whoever may rename what lies above it cannot put another in its place.
// It is used on one thread.
class AllowedPaths {
 public:
  // A folder that does not exist yet is held once it does. A file system that is mounted at a
  // folder later is used: nobody can do so without the right to mount.
  explicit AllowedPaths(std::vector<std::filesystem::path> folders);

  // Returns the absolute paths of the folders.
  std::vector<std::string> folders() const;

  // Returns the absolute path that is meant, whether or not it is allowed: for code that opens it
  // later, perhaps in another process.
  std::string absolute(const std::string& path) const;

  // Opens a regular file. A relative path counts from the first folder. The error's text is for
  // whoever named the path: it does not reveal whether something exists outside.
  Result<Input> open(const std::string& path) const;
  // Opens a folder to write into, which may also be an allowed one itself; "" is the first of them.
  Result<platform::UniqueFd> open_folder(const std::string& path) const;

 private:
  Result<platform::UniqueFd> open_beneath(const std::string& path, std::uint64_t flags) const;

  struct Root {
    std::filesystem::path path{};  // absolute; without links where the folder existed
    platform::UniqueFd fd{};       // empty: the folder did not exist yet
  };

  static int hold(Root& root);

  mutable std::vector<Root> roots_;
};

}  // namespace server
