#include "server/live/child_pipe.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "server/base/exhausted.h"
#include "server/base/private_fds.h"

namespace server {

Result<ChildPipe> open_child_pipe() {
  int ends[2];
  if (private_pipe(ends) != 0) {
    return exhausted_or(
        errno, {errc::internal, fmt::format("cannot make a pipe: {}", std::strerror(errno)), ""});
  }
  ChildPipe pipe{platform::UniqueFd(ends[0]), platform::UniqueFd(ends[1])};
  if (::fcntl(pipe.write.get(), F_SETFL, O_NONBLOCK) != 0) {
    return exhausted_or(
        errno, {errc::internal, fmt::format("cannot use a pipe: {}", std::strerror(errno)), ""});
  }
  return pipe;
}

}  // namespace server
