#include "server/inputs/file_ranges.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <cerrno>

#include "platform/unique_fd.h"

namespace server {

bool copy_range(const std::filesystem::path& file, FileRange range,
                const std::filesystem::path& copy) {
  const platform::UniqueFd from(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  const platform::UniqueFd into(
      ::open(copy.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!from || !into) return false;
  auto offset = static_cast<off_t>(range.from);
  std::uint64_t left = range.bytes;
  while (left > 0) {
    const ssize_t copied = ::sendfile(into.get(), from.get(), &offset, left);
    if (copied < 0 && errno == EINTR) continue;
    if (copied == 0) errno = EIO;  // the file is shorter than its range
    if (copied <= 0) return false;
    left -= static_cast<std::uint64_t>(copied);
  }
  return ::fdatasync(into.get()) == 0;
}

std::optional<std::string> read_range(const std::filesystem::path& file, FileRange range) {
  const platform::UniqueFd fd(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return std::nullopt;
  std::string bytes(range.bytes, '\0');
  std::uint64_t read = 0;
  while (read < range.bytes) {
    const ssize_t count = ::pread(fd.get(), bytes.data() + read, range.bytes - read,
                                  static_cast<off_t>(range.from + read));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    read += static_cast<std::uint64_t>(count);
  }
  bytes.resize(read);
  return bytes;
}

}  // namespace server
