#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <string>
#include <utility>
#include <vector>

#include "platform/unique_fd.h"
#include "server/base/error.h"
#include "server/http/client_address.h"
#include "server/http/listen_address.h"
#include "server/http/stream_socket.h"

namespace server {

// The file of a socket in the file system, which goes with this object.
class SocketFile {
 public:
  explicit SocketFile(std::string path = {}) : path_(std::move(path)) {}
  SocketFile(SocketFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  SocketFile& operator=(SocketFile&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~SocketFile() { remove(); }

  void remove();

 private:
  std::string path_;  // empty: there is none, or it is somebody else's
};

// One socket that takes connections, and where it does.
struct ListeningSocket {
  StreamAcceptor acceptor;
  ListenAddress address{};
  SocketFile file{};

  // Takes no connections from now on.
  void close();
};

// Listens on all addresses that `address` stands for. A socket in the file system is made for this
// user alone (mode 0600); one that a dead process has left behind is replaced. A name is resolved
// now, which may take seconds. Errors: cannot_listen, address_in_use.
Result<std::vector<ListeningSocket>> listen_on(boost::asio::any_io_executor executor,
                                               const ListenAddress& address);

// Takes over a socket that listens already. Errors: cannot_listen (of an unknown family).
Result<ListeningSocket> take_over(boost::asio::any_io_executor executor, platform::UniqueFd socket);

// Returns where a socket listens. Errors: cannot_listen.
Result<ListenAddress> address_of(int socket);

// Returns the other end of a connection. Errors: client_gone.
Result<Peer> peer_of(StreamSocket& socket);

}  // namespace server
