#include "server/base/peer_user.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>

namespace server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

#ifdef __linux__

TEST(LoopbackUser, IsWhoseProgramHasConnected) {
  asio::io_context io;
  for (const char* address : {"127.0.0.1", "127.1.2.3", "::1"}) {
    tcp::acceptor acceptor(io, {asio::ip::make_address(address), 0});
    tcp::socket client(io);
    client.connect(acceptor.local_endpoint());
    const tcp::socket here = acceptor.accept();
    EXPECT_EQ(loopback_user(here.local_endpoint(), here.remote_endpoint()), ::getuid()) << address;
  }
}

TEST(LoopbackUser, IsNobodyWhenThatProgramHasClosedItsEnd) {
  asio::io_context io;
  tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
  tcp::socket client(io);
  client.connect(acceptor.local_endpoint());
  const tcp::socket here = acceptor.accept();
  const auto own = here.local_endpoint(), remote = here.remote_endpoint();
  client.close();
  EXPECT_EQ(loopback_user(own, remote), std::nullopt) << "nobody, and not root";
}

#endif

}  // namespace
}  // namespace server
