#include "server/daemon/node_name.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include "server/base/file_error.h"
#include "server/base/random_id.h"

namespace server {

Result<NodeName> take_node_name(const std::filesystem::path& folder) {
  const auto file = folder / "node";
  platform::UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!fd) return file_error("open", file, errno);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error{"store_busy", folder.string() + " is in use by another scribed",
                 "End the other one, or give this one a state folder of its own."};
  }
  std::array<char, 64> read{};
  const ssize_t bytes = ::pread(fd.get(), read.data(), read.size(), 0);
  if (bytes < 0) return file_error("read", file, errno);
  const std::string_view known(read.data(), static_cast<std::size_t>(bytes));
  if (is_id(known)) return NodeName{std::string(known), std::move(fd)};
  // It is new, or what a crash has left of one.
  const std::string made = random_id();
  const bool is_written =
      ::ftruncate(fd.get(), 0) == 0 &&
      ::pwrite(fd.get(), made.data(), made.size(), 0) == static_cast<ssize_t>(made.size()) &&
      ::fsync(fd.get()) == 0;
  if (!is_written) return file_error("write", file, errno);
  return NodeName{made, std::move(fd)};
}

}  // namespace server
