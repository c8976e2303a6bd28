#include "server/inputs/spool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "server/inputs/file_error.h"
#include "server/jobs/job_id.h"

namespace server {

namespace fs = std::filesystem;

SpoolFile::SpoolFile(platform::UniqueFd fd, fs::path path)
    : fd_(std::move(fd)), path_(std::move(path)) {}

SpoolFile::SpoolFile(SpoolFile&& other) noexcept
    : fd_(std::move(other.fd_)),
      path_(std::exchange(other.path_, {})),
      size_(other.size_),
      flushed_(other.flushed_) {}

SpoolFile::~SpoolFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

Result<void> SpoolFile::write(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return file_error("write", path_, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
  // The disk begins early, so that the sync at the end is short.
  constexpr std::uint64_t step = 8ULL << 20;
  if (size_ - flushed_ >= step) {
    ::sync_file_range(fd_.get(), static_cast<off64_t>(flushed_),
                      static_cast<off64_t>(size_ - flushed_), SYNC_FILE_RANGE_WRITE);
    flushed_ = size_;
  }
  return {};
}

Result<void> SpoolFile::sync() {
  if (::fsync(fd_.get()) != 0) return file_error("write", path_, errno);
  return {};
}

Result<fs::path> SpoolFile::keep(bool durable) {
  if (durable) {
    if (const auto synced = sync(); !synced) return synced.error();
    if (const auto synced = sync_folder(path_.parent_path()); !synced) return synced.error();
  }
  fd_.reset();
  return std::exchange(path_, {});
}

Result<Spool> Spool::open(fs::path folder) {
  std::error_code failure;
  folder = fs::absolute(folder, failure);
  fs::create_directories(folder.parent_path(), failure);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return file_error("make", folder, errno);
  }
  // An older folder is closed to others too.
  if (::access(folder.c_str(), W_OK | X_OK) != 0 || ::chmod(folder.c_str(), 0700) != 0) {
    return file_error("write into", folder, errno);
  }
  return Spool(std::move(folder));
}

Result<SpoolFile> Spool::create() const {
  const fs::path path = folder_ / random_id();
  platform::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) return file_error("make", path, errno);
  return SpoolFile(std::move(fd), path);
}

Result<fs::path> Spool::link(const fs::path& file) const {
  const fs::path path = folder_ / random_id();
  if (::link(file.c_str(), path.c_str()) != 0) return file_error("link", path, errno);
  if (const auto synced = sync_folder(folder_); !synced) {
    ::unlink(path.c_str());
    return synced.error();
  }
  return path;
}

int Spool::remove_orphans(std::span<const std::string> used) const {
  std::vector<std::string> kept(used.begin(), used.end());
  std::ranges::sort(kept);
  int removed = 0;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder_, failure)) {
    if (std::ranges::binary_search(kept, entry.path().string())) continue;
    if (::unlink(entry.path().c_str()) == 0) ++removed;
  }
  return removed;
}

}  // namespace server
