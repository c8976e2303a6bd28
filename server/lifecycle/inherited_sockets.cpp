#include "server/lifecycle/inherited_sockets.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace server {
namespace {

constexpr int first_inherited = 3;  // by the protocol, behind the standard streams
constexpr int most_inherited = 64;

int whole_number(const std::string& text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  return failure == std::errc() && rest == end ? value : 0;
}

bool takes_connections(int fd) {
  int type = 0, listens = 0;
  socklen_t size = sizeof type;
  const bool is_stream =
      ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
  size = sizeof listens;
  return is_stream && ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 &&
         listens != 0;
}

}  // namespace

std::vector<platform::UniqueFd> inherited_sockets(const Environment& environment) {
  std::vector<platform::UniqueFd> sockets;
  // The variables of a parent that was activated are not for its children.
  if (whole_number(environment("LISTEN_PID")) != ::getpid()) return sockets;
  const int count = std::min(whole_number(environment("LISTEN_FDS")), most_inherited);
  for (int fd = first_inherited; fd < first_inherited + count; ++fd) {
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (takes_connections(fd)) sockets.emplace_back(fd);
  }
  return sockets;
}

}  // namespace server
