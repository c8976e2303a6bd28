#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "server/base/error.h"
#include "server/jobs/store_calls.h"

namespace server {

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

// Copies the store by way of a file that is removed again, in slices, on a thread that is not the
// store's. With the last slice the recordings are opened, so no job can end meanwhile and take its
// recording along. `inputs` is the folder of the recordings. Errors: io_error, the store's, and
// client_gone where a stop was requested.
Result<StoreCopy> copy_store(const OnStore& on_store, const std::filesystem::path& file,
                             const std::filesystem::path& inputs, std::stop_token stop = {});

}  // namespace server
