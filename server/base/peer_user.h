#pragma once

#include <sys/types.h>

#include <boost/asio/ip/tcp.hpp>
#include <optional>

namespace server {

// Returns whose program is at the other end of a connected socket of the file system: at a
// client's, whoever began to listen there; at a server's, whoever connected. Nothing: the system
// does not say.
std::optional<uid_t> peer_user(int socket);

// Returns whose program is at the other end of a TCP connection between two loopback addresses of
// one family. Nothing: the system does not say, or that program has closed its end.
//   own, remote: the ends as this program's socket has them
std::optional<uid_t> loopback_user(const boost::asio::ip::tcp::endpoint& own,
                                   const boost::asio::ip::tcp::endpoint& remote);

}  // namespace server
