#pragma once

#include <boost/asio/ip/address.hpp>

namespace server {

// Returns true for an address of the public internet. Returns false for everything that may lead to
// this machine, to a network around it or to a cloud's own services, even if it is wrapped into
// another address (IPv4-mapped, NAT64, 6to4, Teredo).
bool is_public_address(const boost::asio::ip::address& address);

}  // namespace server
