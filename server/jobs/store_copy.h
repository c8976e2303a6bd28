#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "server/base/error.h"

namespace server {

class JobStore;

// The jobs as they were at one moment, and the recordings that they still need. The descriptors
// keep them, whatever becomes of the files.
struct StoreCopy {
  struct Input {
    std::string name{};  // of the file, without its folder
    platform::UniqueFd fd{};
  };

  platform::UniqueFd database{};
  std::vector<Input> inputs{};
};

// Copies the store by way of a file that is removed again. It is called where the store is used, so
// no job can end meanwhile and take its recording along. `inputs` is the folder of the recordings.
// Errors: io_error, and the store's.
Result<StoreCopy> copy_store(JobStore& store, const std::filesystem::path& file,
                             const std::filesystem::path& inputs);

}  // namespace server
