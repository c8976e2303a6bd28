#include <gtest/gtest.h>
#include <malloc.h>

#include <deque>
#include <thread>

#include "tests/server/http/handlers.h"
#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using test::get;
using test::RawClient;
using test::read_body;
using test::RunningServer;
using test::wait_forever;

TEST(HttpLimits, EndAConnectionThatSendsNothing) {
  RunningServer server(read_body, {.header_time = milliseconds(20)});
  RawClient client(server.port());
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(client.closed());
}

TEST(HttpLimits, EndAHeaderThatTakesTooLong) {
  RunningServer server(read_body, {.header_time = milliseconds(20)});
  RawClient client(server.port());
  client.send("GET / HTTP/1.1\r\nHo");
  EXPECT_TRUE(client.read_all().starts_with("HTTP/1.1 408 "));
  EXPECT_TRUE(client.closed());
}

TEST(HttpLimits, EndAConnectionThatIdles) {
  RunningServer server(read_body, {.idle_time = milliseconds(20)});
  RawClient client(server.port());
  client.send(get);
  EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(client.closed());
}

TEST(HttpLimits, EndABodyThatComesTooSlowly) {
  RunningServer server(read_body, {.body_grace = milliseconds(20)});
  RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx");
  EXPECT_TRUE(client.read_all().starts_with("HTTP/1.1 408 "));
  EXPECT_EQ(server.record().status, 408);
}

TEST(HttpLimits, EndAnAnswerThatIsNotRead) {
  RunningServer server(
      [](Exchange& exchange) -> asio::awaitable<void> {
        Response response{.body = std::string(32'000'000, 'x')};
        co_await exchange.send(std::move(response));
      },
      {.write_time = milliseconds(20)});
  RawClient client(server.port());
  client.send(get);
  const auto record = server.record();
  EXPECT_EQ(record.error, "too_slow");
}

TEST(HttpLimits, EndAnAnswerThatIsReadInSips) {
  RunningServer server(
      [](Exchange& exchange) -> asio::awaitable<void> {
        Response response{.body = std::string(64'000'000, 'x')};
        co_await exchange.send(std::move(response));
      },
      {.write_time = milliseconds(100), .answer_bytes_per_second = 1'000'000'000'000});
  RawClient client(server.port());
  client.send(get);
  while (client.receive()) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(server.record().error, "too_slow") << "something was taken in time, but not enough";
}

TEST(HttpLimits, CountABodyWhoseLengthIsNotKnown) {
  RunningServer server(read_body);
  RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "10000\r\n" + std::string(65536, 'x') + "\r\n";
  for (int at = 0; at < 100; ++at) client.send(chunk);
  EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 413 "));
  const auto taken = server.record().bytes_in;
  EXPECT_GT(taken, 1'000'000U);
  EXPECT_LE(taken, 1'000'000U + 65536U);
}

TEST(HttpLimits, BelieveALengthOnlyToRefuseIt) {
  RunningServer server(read_body);
  RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1099511627776\r\n\r\n");
  EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 413 "));
  EXPECT_EQ(server.record().bytes_in, 0U);
}

TEST(HttpLimits, RefuseAMillionTinyChunks) {
  RunningServer server(read_body);
  RawClient client(server.port());
  std::string flood = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int at = 0; at < 999'999; ++at) flood += "1\r\nx\r\n";
  client.send(flood);
  EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 400 "));
}

TEST(HttpLimits, KeepSlowClientsCheap) {
  constexpr std::size_t count = 200;
  RunningServer server(read_body);
  std::deque<RawClient> clients;
  const auto before = ::mallinfo2().uordblks;
  for (std::size_t at = 0; at < count; ++at) {
    clients.emplace_back(server.port());
    clients.back().send("GET / HTTP/1.1\r\nHost: ");
  }
  std::size_t accepted = 0;
  for (int tries = 0; accepted < count && tries < 100'000; ++tries) {
    server.on_thread([&](HttpServer& http) { accepted = http.connections(); });
  }
  ASSERT_EQ(accepted, count);
  const auto each = (::mallinfo2().uordblks - before) / count;
  EXPECT_LE(each, 16U * 1024U);
  RecordProperty("bytes_of_a_connection", static_cast<int>(each));
}

TEST(HttpServerEnd, RefusesNewConnectionsAndEndsIdleOnes) {
  RunningServer server(read_body);
  RawClient idle(server.port());
  idle.send(get);
  idle.read_answer();
  server.on_thread([](HttpServer& http) {
    http.stop_accepting();
    http.close_idle();
  });
  EXPECT_EQ(idle.read_all(), "");
  EXPECT_TRUE(idle.closed());
  EXPECT_TRUE(server.drained());
}

TEST(HttpServerEnd, LetsARequestEndFirst) {
  RunningServer server(read_body);
  RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  client.read_until("\r\n\r\n");
  server.on_thread([](HttpServer& http) {
    http.stop_accepting();
    http.close_idle();
    EXPECT_EQ(http.connections(), 1U);
  });
  client.send("hi");
  const auto answer = client.read_answer();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 "));
  EXPECT_NE(answer.find("\r\nconnection: close\r\n"), answer.npos) << answer;
  client.close();
  EXPECT_TRUE(server.drained());
}

TEST(HttpServerEnd, StopsHandlersThatStillWork) {
  RunningServer server(wait_forever);
  RawClient client(server.port());
  client.send("POST /a HTTP/1.1\r\nHost: x\r\n\r\n");
  server.on_thread([](HttpServer& http) {
    http.stop_accepting();
    http.close_all();
  });
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(server.drained());
}

TEST(HttpServer, SaysWhyItCannotListen) {
  RunningServer server(read_body);
  boost::asio::io_context io;
  const auto taken = "127.0.0.1:" + std::to_string(server.port());
  const auto opened = HttpServer::open(io.get_executor(), {.addresses = {taken}});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, "address_in_use");
  EXPECT_NE(opened.error().message.find("Address already in use"), std::string::npos);
}

}  // namespace
}  // namespace server
