#include "server/commands/output_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "server/log/escaped_text.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// A pipe that is reported as writable takes at least this much (PIPE_BUF) without blocking.
constexpr std::size_t pipe_chunk = 4096;

Error write_error(const std::string& name, int error_number) {
  const bool full = error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
  return {full ? errc::out_of_disk : errc::output_not_writable,
          fmt::format("cannot write {}: {}", name, std::strerror(error_number)),
          full ? "Free some space, or choose another --output." : ""};
}

Result<void> write_all(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return write_error(name, errno);
    }
  }
  return {};
}

// Returns the permissions of the file that is there, or those that one made with open() would have.
mode_t mode_for(const fs::path& place) {
  struct stat info {};
  if (::stat(place.c_str(), &info) == 0) return info.st_mode & 0777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// Returns whether somebody else has put this link into a folder where everybody may write. Linux
// follows none of those where fs.protected_symlinks is set, and we neither.
bool is_foreign_link(const fs::path& link) {
  struct stat info {};
  struct stat folder {};
  const fs::path parent = link.has_parent_path() ? link.parent_path() : ".";
  if (::lstat(link.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return false;
  if (::stat(parent.c_str(), &folder) != 0) return true;
  const bool is_shared = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return is_shared && info.st_uid != ::geteuid() && info.st_uid != folder.st_uid;
}

// Returns the file that a symbolic link names, so that the link stays.
Result<fs::path> real_place(const fs::path& target) {
  constexpr int most_links = 40;  // as the kernel follows
  std::error_code error;
  fs::path link = target;
  for (int i = 0; i < most_links && fs::is_symlink(link, error); ++i) {
    if (is_foreign_link(link)) {
      return Error{errc::output_not_writable,
                   fmt::format("cannot write {}: {} is another user's link in a folder where "
                               "everybody may write",
                               target.string(), link.string()),
                   "Name the file itself, or another folder."};
    }
    link = link.parent_path() / fs::read_symlink(link, error);
  }
  const fs::path real = fs::weakly_canonical(target, error);
  return real.empty() ? target : real;
}

// Opens a file that is to be written anew. What another user has put there is not.
Result<platform::UniqueFd> open_own_file(const fs::path& path) {
  platform::UniqueFd fd(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0) return write_error(path.string(), errno);
  const bool is_own = S_ISREG(info.st_mode) && info.st_uid == ::geteuid() && info.st_nlink == 1;
  if (!is_own) return write_error(path.string(), EPERM);
  if (::ftruncate(fd.get(), 0) != 0) return write_error(path.string(), errno);
  return fd;
}

}  // namespace

Result<void> StreamSink::write(std::string_view bytes) {
  if (::isatty(fd_) != 1) return write_out(bytes);
  return write_out(printable_text(bytes));
}

Result<void> StreamSink::write_out(std::string_view bytes) {
  while (!bytes.empty() && !dropping_) {
    pollfd waited[] = {{fd_, POLLOUT, 0}, {interrupt_fd_, POLLIN, 0}};
    if (::poll(waited, 2, -1) < 0 && errno != EINTR) return write_error(name_, errno);
    if (waited[0].revents == 0) {
      dropping_ = waited[1].revents != 0;
      continue;
    }
    const ssize_t written = ::write(fd_, bytes.data(), std::min(bytes.size(), pipe_chunk));
    if (written > 0) {
      last_ = bytes[static_cast<std::size_t>(written) - 1];
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return Error{reader_gone, "nobody reads " + name_ + " any more", ""};
    } else if (errno != EINTR && errno != EAGAIN) {
      return write_error(name_, errno);
    }
  }
  return {};
}

Result<void> StreamSink::commit() {
  if (last_ == '\n') return {};
  return write("\n");
}

std::unique_ptr<OutputSink> stdout_sink(int interrupt_fd) {
  return std::make_unique<StreamSink>(platform::UniqueFd(), STDOUT_FILENO, "stdout", interrupt_fd);
}

Result<std::unique_ptr<OutputSink>> FileSink::create(const fs::path& target) {
  const auto place = real_place(target);
  if (!place) return place.error();
  UnfinishedFile file(*place);
  if (file.fd() < 0) return write_error(target.string(), errno);
  ::fchmod(file.fd(), mode_for(*place));
  return std::unique_ptr<OutputSink>(std::make_unique<FileSink>(std::move(file), *place));
}

Result<void> FileSink::write(std::string_view bytes) {
  return write_all(file_.fd(), bytes, target_.string());
}

Result<void> FileSink::commit() {
  if (const int failed = file_.replace_target()) return write_error(target_.string(), failed);
  return {};
}

fs::path partial_path(const fs::path& target) {
  constexpr std::string_view ending = ".partial";
  std::string name = target.filename().string();
  if (name.size() + ending.size() > NAME_MAX) {
    std::size_t kept = NAME_MAX - ending.size();
    while (kept > 0 && (name[kept] & 0xc0) == 0x80) --kept;  // cuts between letters of UTF-8
    name.resize(kept);
  }
  return target.parent_path() / (name += ending);
}

Result<std::unique_ptr<OutputSink>> PartialFileSink::create(const fs::path& target) {
  const auto place = real_place(target);
  if (!place) return place.error();
  auto fd = open_own_file(partial_path(*place));
  if (!fd) return fd.error();
  ::fchmod(fd->get(), mode_for(*place));
  return std::unique_ptr<OutputSink>(std::make_unique<PartialFileSink>(*std::move(fd), *place));
}

PartialFileSink::~PartialFileSink() {
  if (fd_ && is_empty_) ::unlink(partial_path(target_).c_str());
}

Result<void> PartialFileSink::write(std::string_view bytes) {
  if (bytes.empty()) return {};
  auto written = write_all(fd_.get(), bytes, partial_path(target_).string());
  if (written) is_empty_ = false;
  return written;
}

Result<void> PartialFileSink::commit() {
  if (::fsync(fd_.get()) != 0 || ::rename(partial_path(target_).c_str(), target_.c_str()) != 0) {
    return write_error(target_.string(), errno);
  }
  fd_.reset();
  return {};
}

Result<void> PartialFileSink::cut_short() {
  if (::fsync(fd_.get()) != 0) return write_error(partial_path(target_).string(), errno);
  return {};
}

Result<std::unique_ptr<OutputSink>> open_output(const fs::path& target, int interrupt_fd,
                                                bool keep_partial) {
  struct stat info {};
  const bool is_there = ::stat(target.c_str(), &info) == 0;
  if (!is_there && errno != ENOENT) return write_error(target.string(), errno);
  if (!is_there || S_ISREG(info.st_mode)) {
    return keep_partial ? PartialFileSink::create(target) : FileSink::create(target);
  }
  if (S_ISDIR(info.st_mode)) return write_error(target.string(), EISDIR);
  platform::UniqueFd fd(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd) return write_error(target.string(), errno);
  const int number = fd.get();
  return std::unique_ptr<OutputSink>(
      std::make_unique<StreamSink>(std::move(fd), number, target.string(), interrupt_fd));
}

}  // namespace server
