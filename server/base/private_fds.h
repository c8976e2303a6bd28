#pragma once

// Pipes and sockets that no program inherits which is started, whatever the system's call for that
// is. They fail as pipe(), socketpair() and socket() do.
namespace server {

// `flags` may be O_NONBLOCK, for both ends: the first is read, the second is written.
int private_pipe(int (&ends)[2], int flags = 0);

// Makes two sockets of the file system's family (SOCK_STREAM) that are connected.
int private_socket_pair(int (&ends)[2]);

int private_socket(int family, int type, int protocol = 0);

// Makes a socket on which no call waits.
int nonblocking_socket(int family, int type);

}  // namespace server
