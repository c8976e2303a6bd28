#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/private_fds.h"

// A descriptor is marked after it was made: a program that another thread starts in between
// inherits it, unless it is started by exec_child(), which marks all descriptors of the child.
namespace server {
namespace {

void make_private(int fd) {
  if (fd >= 0) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

}  // namespace

int private_pipe(int (&ends)[2], int flags) {
  if (::pipe(ends) != 0) return -1;
  for (const int end : ends) {
    make_private(end);
    if (flags != 0) ::fcntl(end, F_SETFL, flags);
  }
  return 0;
}

int private_socket_pair(int (&ends)[2]) {
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
  for (const int end : ends) make_private(end);
  return 0;
}

int private_socket(int family, int type, int protocol) {
  const int fd = ::socket(family, type, protocol);
  make_private(fd);
  return fd;
}

int nonblocking_socket(int family, int type) {
  const int fd = private_socket(family, type);
  if (fd >= 0) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

}  // namespace server
