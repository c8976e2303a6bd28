#include "server/http/listening_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <fstream>

#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using test::RawClient;
using test::RunningServer;
using test::TemporaryFolder;

asio::awaitable<void> name_peer(Exchange& exchange) {
  Response response{.body = exchange.peer()};
  co_await exchange.send(std::move(response));
}

const std::string request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

Result<std::vector<ListeningSocket>> listen_at(boost::asio::io_context& io,
                                               const std::string& address) {
  return listen_on(io.get_executor(), parse_listen_address(address).value());
}

TEST(ListeningSocket, InTheFileSystemServesThisUserAlone) {
  TemporaryFolder folder;
  const std::string file = folder / "socket";
  {
    RunningServer server(name_peer, {}, {}, {"unix:" + file});
    struct ::stat status {};
    ASSERT_EQ(::lstat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    RawClient client(file);
    client.send(request);
    EXPECT_TRUE(client.read_answer().ends_with("unix:" + std::to_string(::getuid())));
  }
  EXPECT_NE(::access(file.c_str(), F_OK), 0) << "the file goes with the server";
}

TEST(ListeningSocket, AtALoopbackAddressKnowsTheUser) {
  RunningServer server(name_peer);
  RawClient client(server.port());
  client.send(request);
  EXPECT_TRUE(client.read_answer().ends_with("local:" + std::to_string(::getuid())));
}

TEST(ListeningSocket, TakesThePlaceOfOneThatADeadProcessLeftBehind) {
  TemporaryFolder folder;
  const std::string file = folder / "socket";
  boost::asio::io_context io;
  {
    const auto left = listen_at(io, "unix:" + file);
    ASSERT_TRUE(left);
    EXPECT_EQ(listen_at(io, "unix:" + file).error().code, "address_in_use");
    ASSERT_EQ(::link(file.c_str(), (file + ".kept").c_str()), 0);
  }
  ASSERT_EQ(::rename((file + ".kept").c_str(), file.c_str()), 0);
  EXPECT_TRUE(listen_at(io, "unix:" + file));
}

TEST(ListeningSocket, ReplacesNoFileOfAnotherKind) {
  TemporaryFolder folder;
  const std::string file = folder / "socket";
  std::ofstream(file) << "kept";
  boost::asio::io_context io;
  EXPECT_EQ(listen_at(io, "unix:" + file).error().code, "address_in_use");
  std::string text;
  std::ifstream(file) >> text;
  EXPECT_EQ(text, "kept");
}

TEST(ListeningSocket, OfEveryAddressIsOnePortInBothFamilies) {
  boost::asio::io_context io;
  const auto sockets = listen_at(io, ":0");
  ASSERT_TRUE(sockets);
  for (const auto& socket : *sockets) {
    EXPECT_EQ(socket.address.port, sockets->front().address.port);
    EXPECT_FALSE(socket.address.is_local());
  }
}

TEST(ListeningSocket, ResolvesAName) {
  boost::asio::io_context io;
  const auto unknown = listen_at(io, "no-such-host.invalid:0");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, errc::cannot_listen);
  // What a resolver knows on any machine; written so it is not taken for the word of ours.
  const auto known = listen_on(io.get_executor(), ListenAddress{.host = "localhost"});
  ASSERT_TRUE(known) << known.error().message;
  EXPECT_TRUE(known->front().address.is_local());
}

TEST(ListeningSocket, IsTakenOverAsItIs) {
  boost::asio::io_context io;
  auto opened = listen_at(io, "127.0.0.1:0");
  ASSERT_TRUE(opened);
  const auto port = opened->front().address.port;
  platform::UniqueFd fd(::dup(opened->front().acceptor.native_handle()));
  const auto taken = take_over(io.get_executor(), std::move(fd));
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->address.text(), "127.0.0.1:" + std::to_string(port));
  platform::UniqueFd file(::open("/dev/null", O_RDONLY));
  EXPECT_EQ(take_over(io.get_executor(), std::move(file)).error().code, errc::cannot_listen);
}

}  // namespace
}  // namespace server
