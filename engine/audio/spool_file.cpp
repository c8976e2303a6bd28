#include "engine/audio/spool_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace engine {
namespace {

namespace fs = std::filesystem;

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

Error disk_error(int code) {
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return {full ? Errc::out_of_disk : Errc::internal,
          std::string("the spool file could not be used: ") + std::strerror(code),
          "Free space in TMPDIR (by default /var/tmp), or name a folder on another disk there."};
}

}  // namespace

fs::path SpoolFile::default_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder && *folder ? folder : "/var/tmp";
}

Result<SpoolFile> SpoolFile::create(const fs::path& folder) {
  platform::UniqueFd file = open_nameless(folder);
  if (file) return SpoolFile(std::move(file));
  return Error{Errc::out_of_disk,
               "no spool file could be made in " + folder.string() + ": " + std::strerror(errno),
               "name a folder that can be written in TMPDIR"};
}

Result<void> SpoolFile::write(std::int64_t at, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_.get(), bytes.data(), bytes.size(), at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return disk_error(written < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    at += written;
  }
  return {};
}

Result<void> SpoolFile::read(std::int64_t at, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(file_.get(), bytes.data(), bytes.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return disk_error(got < 0 ? errno : EIO);
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
