#pragma once

#include <filesystem>
#include <string>

#include "platform/unique_fd.h"

namespace server {

// A new file beside `target` that takes over its name once it is whole. Until then it has no name
// if the file system knows files without one, so nothing is left of it even after a crash;
// elsewhere its name is ".scribed." and six letters, which is removed with this object.
class UnfinishedFile {
 public:
  // fd() is -1 if the file cannot be made; errno then says why. Its mode is 0600.
  explicit UnfinishedFile(std::filesystem::path target);
  UnfinishedFile(UnfinishedFile&&) noexcept = default;
  UnfinishedFile& operator=(UnfinishedFile&&) = delete;
  ~UnfinishedFile();

  int fd() const { return fd_.get(); }
  // Writes everything to the disk and replaces `target`. Returns 0 or errno; after an error
  // `target` is as it was.
  int replace_target();

 private:
  int take_any_name();

  std::filesystem::path target_;
  platform::UniqueFd fd_;
  std::string name_{};  // empty: the file has none
};

}  // namespace server
