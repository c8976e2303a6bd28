#include "server/inputs/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "server/base/exhausted.h"

namespace server {
namespace {

Error cannot_read(int error_number) {
  const bool missing = error_number == ENOENT || error_number == ENOTDIR;
  return exhausted_or(error_number, {missing ? errc::input_not_found : errc::input_unreadable,
                                     std::strerror(error_number), ""});
}

}  // namespace

Result<Input> open_input(const std::string& name) {
  const bool is_stdin = name == "-";
  Input input{platform::UniqueFd(is_stdin ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                                          : ::open(name.c_str(), O_RDONLY | O_CLOEXEC))};
  if (!input.fd) return cannot_read(errno);
  struct stat info {};
  if (::fstat(input.fd.get(), &info) != 0) return cannot_read(errno);
  if (S_ISDIR(info.st_mode)) {
    return Error{errc::input_unreadable, "this is a folder",
                 fmt::format("Name the files in it, for instance {}/*.mp3", name)};
  }
  input.may_pause = !S_ISREG(info.st_mode);
  return input;
}

}  // namespace server
