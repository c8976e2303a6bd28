#include "engine/audio/spool_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "platform/child_environment.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

// Only zeros that fill such a part of the file are left out: a file system's blocks have 4 KiB or
// more, and a hole within one saves nothing.
constexpr std::int64_t block_bytes = 4096;
constexpr std::int64_t clip_bytes = 2LL << 20;  // of a minute with 80 mels
constexpr std::int64_t stat_block_bytes = 512;
constexpr std::int64_t most_kept_for_size = 1LL << 30;

platform::UniqueFd open_nameless(const fs::path& folder) {
#ifdef O_TMPFILE
  platform::UniqueFd file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
#endif
  // Not every file system supports files without a name.
  std::string name = (folder / "scribed-spool-XXXXXX").string();
  platform::UniqueFd named(::mkostemp(name.data(), O_CLOEXEC));
  if (named) ::unlink(name.c_str());
  return named;
}

// Clients of the API read it, so it names no folder.
Error out_of_disk() {
  return {Errc::out_of_disk, "There is not enough free disk space to process this recording.",
          "Try again later, or send a shorter recording."};
}

Error disk_error(int code) {
  if (code == ENOSPC || code == EDQUOT || code == EFBIG) return out_of_disk();
  return {Errc::internal, std::string("the spool file could not be used: ") + std::strerror(code),
          "Try again later."};
}

bool is_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

fs::path SpoolFile::default_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder && *folder ? folder : "/var/tmp";
}

std::int64_t SpoolFile::default_min_free() {
  const char* given = std::getenv(platform::spool_min_free);
  const std::string_view text = given ? given : "";
  std::int64_t bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  return bytes;
}

bool SpoolFile::is_shared() {
  const char* given = std::getenv(platform::spool_is_shared);
  return given && std::string_view(given) == "1";
}

SpoolFile::SpoolFile(platform::UniqueFd file, std::int64_t min_free, const SpoolOwner& owner)
    : file_(std::move(file)), min_free_(min_free) {
  if (owner.owners) share_ = std::make_unique<SpoolOwners::Share>(owner.owners, owner.name);
}

Result<SpoolFile> SpoolFile::create(const fs::path& folder, std::int64_t min_free,
                                    const SpoolOwner& owner) {
  platform::UniqueFd file = open_nameless(folder);
  if (file) return SpoolFile(std::move(file), min_free, owner);
  return Error{Errc::out_of_disk,
               std::string("The file for intermediate data could not be created: ") +
                   std::strerror(errno) + ".",
               "Try again later."};
}

// Only the first and the last part may be no whole block of the file.
Result<void> SpoolFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    std::size_t data = 0, zeros = 0;
    while (data + zeros < bytes.size()) {
      const std::size_t at = data + zeros;
      const auto in_block = static_cast<std::size_t>(
          block_bytes - (size_ + static_cast<std::int64_t>(at)) % block_bytes);
      const std::size_t part = std::min(in_block, bytes.size() - at);
      if (is_zero(bytes.subspan(at, part))) {
        zeros += part;
      } else if (zeros == 0) {
        data += part;
      } else {
        break;
      }
    }
    if (const auto written = write(bytes.first(data)); !written) return written;
    size_ += static_cast<std::int64_t>(zeros);
    bytes = bytes.subspan(data + zeros);
  }
  return {};
}

Result<void> SpoolFile::write(std::span<const std::byte> bytes) {
  if (auto room = check_room(static_cast<std::int64_t>(bytes.size())); !room) return room;
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_.get(), bytes.data(), bytes.size(), size_);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return disk_error(written < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    size_ += written;
    written_ += written;
  }
  return {};
}

std::int64_t SpoolFile::kept_free(std::int64_t size, std::int64_t min_free) {
  return size <= clip_bytes ? min_free : 2 * min_free + std::min(size, most_kept_for_size);
}

Result<void> SpoolFile::check_room(std::int64_t more) const {
  struct ::statvfs disk {};
  if (min_free_ == 0 || more == 0 || ::fstatvfs(file_.get(), &disk) != 0) return {};
  const auto free = static_cast<std::int64_t>(disk.f_bavail * disk.f_frsize);
  if (free - more < kept_free(written_ + more, min_free_)) return out_of_disk();
  struct ::stat file {};
  if (!share_ || ::fstat(file_.get(), &file) != 0) return {};
  // Zeros and what was given back take nothing, so the file system is asked.
  const std::int64_t of_owner = share_->set(std::int64_t{file.st_blocks} * stat_block_bytes);
  const std::int64_t room = of_owner + free - min_free_;
  const bool fits = written_ + more <= clip_bytes || of_owner + more <= room / 2;
  return fits ? Result<void>() : out_of_disk();
}

Result<void> SpoolFile::read(std::int64_t at, std::span<std::byte> bytes) const {
  if (!bytes.empty() && at + static_cast<std::int64_t>(bytes.size()) > size_) {
    return disk_error(EIO);
  }
  while (!bytes.empty()) {
    const ssize_t got = ::pread(file_.get(), bytes.data(), bytes.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return disk_error(errno);
    if (got == 0) {  // zeros at the end were not written
      std::ranges::fill(bytes, std::byte{0});
      return {};
    }
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    at += got;
  }
  return {};
}

void SpoolFile::free([[maybe_unused]] std::int64_t at, [[maybe_unused]] std::int64_t bytes) {
#ifdef FALLOC_FL_PUNCH_HOLE
  static_cast<void>(
      ::fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, bytes));
#endif
}

}  // namespace engine
