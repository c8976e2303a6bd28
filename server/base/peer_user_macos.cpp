#include <unistd.h>

#include "server/base/peer_user.h"

namespace server {

std::optional<uid_t> peer_user(int socket) {
  uid_t user = 0;
  gid_t group = 0;
  return ::getpeereid(socket, &user, &group) == 0 ? std::optional(user) : std::nullopt;
}

std::optional<uid_t> loopback_user(const boost::asio::ip::tcp::endpoint& /*own*/,
                                   const boost::asio::ip::tcp::endpoint& /*remote*/) {
  return std::nullopt;
}

}  // namespace server
