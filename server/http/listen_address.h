#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/base/error.h"

namespace server {

// A place to listen on, as the configuration names it.
struct ListenAddress {
  std::string host{};      // an address or a name; empty: every address of this machine
  std::uint16_t port = 0;  // 0: any free one
  std::string path{};      // of a socket in the file system, which has neither host nor port

  // Whether programs of this machine alone can connect. A name is not local, because what it
  // stands for may change.
  bool is_local() const;
  // Whether the host is a name, which somebody has to resolve.
  bool has_name() const;
  // Returns the address as the configuration would name it.
  std::string text() const;
};

// Parses "127.0.0.1:8080", "[::1]:8080", ":8080" (every address), "localhost:8080" (127.0.0.1),
// "name.lan:8080" or "unix:/run/scribed/socket". Errors: usage.
Result<ListenAddress> parse_listen_address(std::string_view text);

}  // namespace server
