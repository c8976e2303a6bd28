#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/private_fds.h"

namespace server {

int private_pipe(int (&ends)[2], int flags) {
  return ::pipe2(ends, O_CLOEXEC | flags);
}

int private_socket_pair(int (&ends)[2]) {
  return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

int private_socket(int family, int type, int protocol) {
  return ::socket(family, type | SOCK_CLOEXEC, protocol);
}

int nonblocking_socket(int family, int type) {
  return ::socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

}  // namespace server
