#include "server/log/stderr_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <limits.h>

#include <array>
#endif

#include <filesystem>
#include <system_error>

#include "platform/unique_fd.h"

namespace server {
namespace {

// Returns the path of the file that stderr is; empty: it is not known.
std::string path_of_stderr() {
#if defined(__APPLE__)
  std::array<char, PATH_MAX> path{};
  return ::fcntl(STDERR_FILENO, F_GETPATH, path.data()) == 0 ? path.data() : "";
#else
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/fd/2", unknown);
#endif
}

}  // namespace

StderrFile::StderrFile() {
  struct ::stat info {};
  if (::fstat(STDERR_FILENO, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink == 0) return;
  path_ = path_of_stderr();
  mode_ = info.st_mode & 0777;
}

bool StderrFile::reopen() const {
  if (path_.empty()) return true;
  const platform::UniqueFd file(
      ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, mode_));
  return file && ::dup2(file.get(), STDERR_FILENO) == STDERR_FILENO;
}

}  // namespace server
