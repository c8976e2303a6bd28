#include "server/client/local_socket.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

#include "platform/unique_fd.h"
#include "server/base/private_fds.h"

namespace server {

bool is_listened_on(const std::string& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.empty() || socket.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, socket.c_str(), socket.size() + 1);
  const platform::UniqueFd fd(nonblocking_socket(AF_UNIX, SOCK_STREAM));
  return fd &&
         ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace server
