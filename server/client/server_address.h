#pragma once

#include <string>
#include <string_view>

#include "server/base/error.h"

namespace server {

// The address at which a `scribed serve` answers.
struct ServerAddress {
  // "http://127.0.0.1:8080", without a slash at the end. It may have a path, as behind a proxy.
  std::string url{};
  // A unix socket that is connected to instead of the URL's host; empty: there is none.
  std::string socket{};

  // As people write it: "http://127.0.0.1:8080", "unix:/run/scribed/scribed.sock".
  std::string text() const { return socket.empty() ? url : "unix:" + socket; }
  // Whether it is on this machine, so that no proxy is asked.
  bool is_local() const;
};

// Parses "https://voice.example/stt", "http://HOST:PORT", "HOST:PORT", ":PORT" of this machine, or
// "unix:/PATH". Errors: usage.
Result<ServerAddress> parse_server_address(std::string_view text);

// Returns how a client reaches a server that listens on `listen`, an entry of server.listen. "Every
// address" of a machine includes its own loopback. Errors: usage.
Result<ServerAddress> address_of_listener(std::string_view listen);

}  // namespace server
