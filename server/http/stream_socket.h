#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

namespace server {

// A connection of any family: TCP, or a socket that lies in the file system.
using StreamSocket = boost::asio::generic::stream_protocol::socket;
using StreamAcceptor = boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol>;

}  // namespace server
