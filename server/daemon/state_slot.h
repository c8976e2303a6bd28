#pragma once

#include <filesystem>

#include "platform/unique_fd.h"
#include "server/base/error.h"

namespace server {

// The folder of one of several processes that run at once: the first of "1", "2", … that no other
// holds. One that ended leaves its jobs to the next that gets its folder.
struct StateSlot {
  std::filesystem::path folder{};
  platform::UniqueFd lock{};  // held as long as this object lives
};

// Errors: io_error, store_busy (all are taken).
Result<StateSlot> take_state_slot(const std::filesystem::path& parent);

}  // namespace server
