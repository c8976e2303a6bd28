#include <gtest/gtest.h>

#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"

namespace server {
namespace {

using test::RawClient;
using test::RunningServer;

asio::awaitable<void> stream_one(Exchange& exchange) {
  const Response head{.content_type = "text/plain"};
  co_await exchange.start_stream(head);
  co_await exchange.write("one");
}

TEST(Trailers, TellThatAStreamEndsInAnError) {
  RunningServer server([](Exchange& exchange) -> asio::awaitable<void> {
    co_await stream_one(exchange);
    exchange.fail_stream("worker_died");
  });
  RawClient client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  client.read_until("\r\n\r\n");
  EXPECT_TRUE(client.read_until("died\r\n\r\n")
                  .ends_with("one\r\n0\r\nx-scribed-late-error: worker_died\r\n\r\n"));
  EXPECT_EQ(server.record().error, "worker_died");
}

TEST(Trailers, HaveTheFieldsThatComeAfterTheHead) {
  RunningServer server([](Exchange& exchange) -> asio::awaitable<void> {
    exchange.add_headers({{"early", "1"}});
    co_await stream_one(exchange);
    exchange.add_headers({{"warning", "299 s \"a\""}, {"warning", "299 s \"b\r\nc\""}});
  });
  RawClient client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto head = client.read_until("\r\n\r\n");
  EXPECT_NE(head.find("\r\nearly: 1\r\n"), head.npos) << head;
  EXPECT_EQ(head.find("warning"), head.npos) << head;
  EXPECT_TRUE(client.read_until("bc\"\r\n\r\n")
                  .ends_with("one\r\n0\r\nwarning: 299 s \"a\"\r\nwarning: 299 s \"bc\"\r\n\r\n"));
}

}  // namespace
}  // namespace server
