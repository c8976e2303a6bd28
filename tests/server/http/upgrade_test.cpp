#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "server/http/error_response.h"
#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"

// These tests speak another protocol on a socket of the server, with Beast's WebSocket on both
// ends.
namespace server {
namespace {

namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using test::RawClient;
using test::RunningServer;

// Sends back every message, until the client closes.
asio::awaitable<void> echo(Exchange& exchange) {
  auto upgraded = exchange.upgrade();
  if (!upgraded) {
    Response refusal = error_response(upgraded.error());
    co_return co_await exchange.send(std::move(refusal));
  }
  websocket::stream<StreamSocket> socket(std::move(upgraded->socket));
  co_await socket.async_accept(upgraded->request, asio::use_awaitable);
  boost::beast::flat_buffer message;
  boost::system::error_code failure;
  while (!failure) {
    message.clear();
    auto reading = asio::redirect_error(asio::use_awaitable, failure);
    co_await socket.async_read(message, std::move(reading));
    if (failure) break;
    auto writing = asio::redirect_error(asio::use_awaitable, failure);
    co_await socket.async_write(message.data(), std::move(writing));
  }
}

class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(io_) {
    socket_.next_layer().connect({asio::ip::address_v4::loopback(), port});
    socket_.handshake("localhost", "/echo");
  }
  std::string say(std::string_view text) {
    socket_.write(asio::buffer(text));
    boost::beast::flat_buffer answer;
    socket_.read(answer);
    return boost::beast::buffers_to_string(answer.data());
  }
  void close() { socket_.close(websocket::close_code::normal); }
  // Waits for the server to end the connection.
  boost::system::error_code wait_for_end() {
    boost::beast::flat_buffer ignored;
    boost::system::error_code failure;
    socket_.read(ignored, failure);
    return failure;
  }

 private:
  asio::io_context io_;
  websocket::stream<tcp::socket> socket_;
};

const std::string upgrade_request =
    "GET /echo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

TEST(Upgrade, GivesTheSocketToAnotherProtocol) {
  RunningServer server(echo);
  Client client(server.port());
  EXPECT_EQ(client.say("one"), "one");
  EXPECT_EQ(client.say(std::string(100'000, 'x')), std::string(100'000, 'x'));
  client.close();
  const auto record = server.record();
  EXPECT_EQ(record.status, 101);
  EXPECT_EQ(record.error, "");
}

TEST(Upgrade, TheConnectionCountsUntilItsHandlerReturns) {
  RunningServer server(echo);
  Client client(server.port());
  client.say("one");
  server.on_thread([](HttpServer& running) { EXPECT_EQ(running.connections(), 1U); });
  client.close();
  EXPECT_EQ(server.record().status, 101);
  server.on_thread([](HttpServer& running) { running.stop_accepting(); });
  EXPECT_TRUE(server.drained());
}

TEST(Upgrade, EndsWithTheServer) {
  RunningServer server(echo);
  Client client(server.port());
  client.say("one");
  server.on_thread([](HttpServer& running) { running.close_all(); });
  EXPECT_TRUE(client.wait_for_end());
  EXPECT_TRUE(server.drained());
}

TEST(Upgrade, IsRefusedWhereNothingAskedForIt) {
  RunningServer server(echo);
  for (const char* request :
       {"GET /echo HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /echo HTTP/1.0\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nUpgrade: websocket\r\n\r\n"}) {
    RawClient client(server.port());
    client.send(request);
    EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 400 ")) << request;
  }
}

TEST(Upgrade, IsRefusedToAClientThatDoesNotWaitForTheAnswer) {
  RunningServer server(echo);
  RawClient client(server.port());
  client.send(upgrade_request + "already");
  EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 400 "));
}

}  // namespace
}  // namespace server
