#include "server/inputs/file_ranges.h"

#include <fcntl.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <array>
#else
#include <sys/sendfile.h>
#endif

#include <algorithm>
#include <cerrno>

#include "platform/unique_fd.h"
#include "server/base/file_calls.h"

namespace server {

namespace {

constexpr std::uint64_t most_at_once = 8 << 20;  // between two looks at the stop token

// Copies some bytes from `offset` on, which it moves, to where `into` is. Returns how many; 0: the
// file has none there; -1 with errno.
ssize_t copy_some(int into, int from, off_t& offset, std::uint64_t most) {
#if defined(__APPLE__)
  std::array<char, 64 * 1024> bytes;
  const auto wanted = std::min<std::uint64_t>(most, bytes.size());
  const ssize_t got = ::pread(from, bytes.data(), wanted, offset);
  if (got <= 0) return got;
  const ssize_t written = ::write(into, bytes.data(), static_cast<std::size_t>(got));
  if (written > 0) offset += written;
  return written;
#else
  return ::sendfile(into, from, &offset, most);
#endif
}

}  // namespace

bool copy_range(const std::filesystem::path& file, FileRange range,
                const std::filesystem::path& copy, const std::stop_token& stop) {
  const platform::UniqueFd from(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  const platform::UniqueFd into(
      ::open(copy.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!from || !into) return false;
  auto offset = static_cast<off_t>(range.from);
  std::uint64_t left = range.bytes;
  while (left > 0) {
    if (stop.stop_requested()) {
      errno = ECANCELED;
      return false;
    }
    const ssize_t copied = copy_some(into.get(), from.get(), offset, std::min(left, most_at_once));
    if (copied < 0 && errno == EINTR) continue;
    if (copied == 0) errno = EIO;  // the file is shorter than its range
    if (copied <= 0) return false;
    left -= static_cast<std::uint64_t>(copied);
  }
  return sync_data(into.get()) == 0;
}

bool sync_bytes(const std::filesystem::path& file) {
  const platform::UniqueFd fd(::open(file.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  return fd && sync_data(fd.get()) == 0;
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
