#include <sys/socket.h>

#include "server/base/peer_user.h"

namespace server {

std::optional<uid_t> peer_user(int socket) {
  ucred user{};
  socklen_t size = sizeof user;
  const bool is_known = ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &user, &size) == 0;
  return is_known ? std::optional(user.uid) : std::nullopt;
}

}  // namespace server
