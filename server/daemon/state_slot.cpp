#include "server/daemon/state_slot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace server {
namespace {

constexpr int max_slots = 64;

}  // namespace

Result<StateSlot> take_state_slot(const std::filesystem::path& parent) {
  for (int slot = 1; slot <= max_slots; ++slot) {
    const auto folder = parent / std::to_string(slot);
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    const auto file = folder / "lock";
    platform::UniqueFd lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!lock) {
      return Error{errc::io_error, fmt::format("{}: {}", file.string(), std::strerror(errno)),
                   "Name another folder with --state-folder."};
    }
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return StateSlot{folder, std::move(lock)};
  }
  return Error{"store_busy", fmt::format("{} other scribed run already", max_slots),
               "End some of them."};
}

}  // namespace server
