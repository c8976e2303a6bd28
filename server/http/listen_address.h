#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string_view>

#include "server/base/error.h"

namespace server {

// Parses "127.0.0.1:8080", "[::1]:8080" or "localhost:8080" (IPv4); port 0 stands for any free one.
// Names of other machines are no addresses of this one. Errors: usage.
Result<boost::asio::ip::tcp::endpoint> parse_listen_address(std::string_view text);

}  // namespace server
