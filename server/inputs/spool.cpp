#include "server/inputs/spool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>
#include <utility>

#include "server/base/file_error.h"
#include "server/base/random_id.h"
#include "server/inputs/own_folder.h"

namespace server {

namespace fs = std::filesystem;

namespace {

// Returns the error for clients, who need not know where the folder is; the log gets the whole
// path.
Error failure(const SpoolSettings& settings, const char* doing, const fs::path& path,
              int error_number) {
  settings.on_failure(file_error(doing, path, error_number));
  return file_error(doing, path.parent_path().filename() / path.filename(), error_number);
}

void close_removed(const SpoolSettings& settings, platform::UniqueFd fd) {
  if (settings.closer) settings.closer->close(std::move(fd));
}

// With these flags open() takes what has a name, even a link, neither to read nor to write.
#if defined(__APPLE__)

constexpr int name_alone = O_EVTONLY | O_SYMLINK;

// macOS has no such call: all is written by the sync at the end.
void begin_to_flush(int, std::uint64_t, std::uint64_t) {}

#else

constexpr int name_alone = O_PATH | O_NOFOLLOW;

void begin_to_flush(int fd, std::uint64_t from, std::uint64_t bytes) {
  ::sync_file_range(fd, static_cast<off64_t>(from), static_cast<off64_t>(bytes),
                    SYNC_FILE_RANGE_WRITE);
}

#endif

}  // namespace

SpoolFile::SpoolFile(platform::UniqueFd fd, fs::path path, std::string owner,
                     std::shared_ptr<const SpoolSettings> settings)
    : fd_(std::move(fd)),
      path_(std::move(path)),
      owner_(std::move(owner)),
      settings_(std::move(settings)) {
  struct ::stat info {};
  if (::fstat(fd_.get(), &info) == 0) inode_ = info.st_ino;
  settings_->room->give_back(inode_);  // an earlier file of this inode is gone
}

SpoolFile::SpoolFile(SpoolFile&& other) noexcept
    : fd_(std::move(other.fd_)),
      path_(std::exchange(other.path_, {})),
      owner_(std::move(other.owner_)),
      settings_(std::move(other.settings_)),
      inode_(other.inode_),
      size_(other.size_),
      flushed_(other.flushed_) {}

SpoolFile::~SpoolFile() {
  if (path_.empty()) return;
  if (!fd_) fd_.reset(::open(path_.c_str(), name_alone | O_CLOEXEC));
  ::unlink(path_.c_str());
  settings_->room->give_back(inode_);
  close_removed(*settings_, std::move(fd_));
}

Result<void> SpoolFile::expect(std::uint64_t bytes) {
  if (auto room = settings_->room->check(owner_, bytes); !room) return room;
  return settings_->room->reserve(inode_, owner_, std::min(bytes, most_bytes_ahead),
                                  settings_->kind);
}

Result<void> SpoolFile::write(std::span<const char> bytes) {
  auto room = settings_->room->reserve(inode_, owner_, size_ + bytes.size(), settings_->kind);
  if (!room) return room;
  while (!bytes.empty()) {
    const auto written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure(*settings_, "write", path_, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
  // Writing to the disk begins early, so that the sync at the end is short.
  constexpr std::uint64_t step = 8ULL << 20;
  if (size_ - flushed_ >= step) {
    begin_to_flush(fd_.get(), flushed_, size_ - flushed_);
    flushed_ = size_;
  }
  return {};
}

Result<void> SpoolFile::sync() {
  if (::fsync(fd_.get()) != 0) return failure(*settings_, "write", path_, errno);
  if (!sync_folder(path_.parent_path())) return failure(*settings_, "write", path_, errno);
  struct ::stat info {};
  const bool is_removed = ::fstat(fd_.get(), &info) == 0 && info.st_nlink == 0;
  return is_removed ? failure(*settings_, "keep", path_, ENOENT) : Result<void>();
}

fs::path SpoolFile::keep() {
  fd_.reset();
  if (settings_->counts_kept) {
    settings_->room->settle(inode_, owner_, size_, settings_->kind);
  } else {
    settings_->room->give_back(inode_);
  }
  return std::exchange(path_, {});
}

Spool::Spool(fs::path folder, platform::UniqueFd fd, std::shared_ptr<const SpoolSettings> settings)
    : folder_(std::move(folder)), fd_(std::move(fd)), settings_(std::move(settings)) {}

Result<Spool> Spool::open(fs::path folder, SpoolSettings settings) {
  std::error_code ignored;
  folder = fs::absolute(folder, ignored);
  fs::create_directories(folder.parent_path(), ignored);
  auto fd = open_own_folder(folder);
  if (!fd) return fd.error();
  if (!settings.room) settings.room = std::make_shared<DiskRoom>(DiskRoom::Limits{});
  auto shared = std::make_shared<const SpoolSettings>(std::move(settings));
  return Spool(std::move(folder), *std::move(fd), std::move(shared));
}

Result<SpoolFile> Spool::create(const std::string& owner, std::uint64_t expected) const {
  const std::string name = random_id();
  const fs::path path = folder_ / name;
  platform::UniqueFd fd(
      ::openat(fd_.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) return failure("make", path, errno);
  SpoolFile file(std::move(fd), path, owner, settings_);
  if (const auto room = file.expect(expected); !room) return room.error();
  return file;
}

Result<fs::path> Spool::link(const fs::path& file) const {
  const fs::path path = folder_ / random_id();
  if (::link(file.c_str(), path.c_str()) != 0) return failure("link", path, errno);
  return path;
}

Result<void> Spool::link_as(const fs::path& file, const std::string& id) const {
  const fs::path path = folder_ / id;
  if (::link(file.c_str(), path.c_str()) == 0 || errno == EEXIST) return {};
  return failure("link", path, errno);
}

Result<void> Spool::sync_names() const {
  if (::fsync(fd_.get()) != 0) return server::failure(*settings_, "write", folder_, errno);
  return {};
}

// Only afterwards is it known whether that was the last name: others may remove names meanwhile.
// Until then the descriptor keeps its inode from being given to another file.
bool Spool::remove(const fs::path& file) const {
  const std::string name = file.filename();
  platform::UniqueFd open(::openat(fd_.get(), name.c_str(), name_alone | O_CLOEXEC));
  struct ::stat info {};
  if (!open || ::unlinkat(fd_.get(), name.c_str(), 0) != 0) return false;
  const bool was_last = ::fstat(open.get(), &info) == 0 && info.st_nlink == 0;
  if (was_last) settings_->room->give_back(info.st_ino);
  close_removed(*settings_, std::move(open));
  return true;
}

void Spool::adopt(const fs::path& file, const std::string& owner, std::uint64_t at_least) const {
  if (!settings_->counts_kept) return;
  const std::string name = file.filename();
  struct ::stat info {};
  if (::fstatat(fd_.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return;
  const auto bytes = std::max(static_cast<std::uint64_t>(info.st_size), at_least);
  settings_->room->settle(info.st_ino, owner, bytes, settings_->kind);
}

int Spool::remove_orphans(std::span<const fs::path> used, std::chrono::seconds age) const {
  std::set<std::string> kept;
  for (const auto& file : used) kept.insert(file.filename());
  int removed = 0;
  for (const auto& name : names_unchanged_for(age)) {
    if (kept.contains(name)) continue;
    if (remove(name)) ++removed;
  }
  return removed;
}

std::vector<std::string> Spool::names_unchanged_for(std::chrono::seconds age) const {
  auto found = names();
  if (age == std::chrono::seconds(0)) return found;
  const auto now = time_of_files();
  if (!now) return {};
  std::erase_if(found, [&](const std::string& name) {
    struct ::stat info {};
    if (::fstatat(fd_.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return true;
    return std::chrono::seconds(*now - info.st_mtime) <= age;
  });
  return found;
}

std::optional<std::time_t> Spool::time_of_files() const {
  const std::string name = random_id();
  const platform::UniqueFd made(
      ::openat(fd_.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  struct ::stat info {};
  if (!made || ::unlinkat(fd_.get(), name.c_str(), 0) != 0) return std::nullopt;
  if (::fstat(made.get(), &info) != 0) return std::nullopt;
  return info.st_mtime;
}

Error Spool::failure(const char* doing, const fs::path& file, int error_number) const {
  return server::failure(*settings_, doing, folder_ / file.filename(), error_number);
}

std::vector<std::string> Spool::names() const {
  auto names = names_in(fd_);
  std::erase_if(names, [](const std::string& name) { return !is_own_name(name); });
  return names;
}

}  // namespace server
