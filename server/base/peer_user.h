#pragma once

#include <sys/types.h>

#include <optional>

namespace server {

// Returns whose program is at the other end of a connected socket of the file system: at a
// client's, whoever began to listen there; at a server's, whoever connected. Nothing: the system
// does not say.
std::optional<uid_t> peer_user(int socket);

}  // namespace server
