#include <gtest/gtest.h>

#include <string>

#include "server/http/error_response.h"
#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using test::RawClient;
using test::RunningServer;

constexpr std::size_t body_bytes = 200'000;
constexpr std::size_t room_for_one = 300'000;  // of each owner, and of all

// Answers with the number of bytes that came; the owner is named by a field.
asio::awaitable<void> count_body(Exchange& exchange) {
  exchange.name_key(std::string(exchange.headers()["X-User"]));
  const auto body = co_await exchange.read_body(1'000'000);
  Response response;
  if (!body) {
    response = error_response(body.error());
  } else {
    response.body = std::to_string(body->size());
  }
  co_await exchange.send(std::move(response));
}

std::string head(const std::string& owner, std::size_t bytes) {
  return "POST / HTTP/1.1\r\nHost: x\r\nX-User: " + owner +
         "\r\nContent-Length: " + std::to_string(bytes) + "\r\nExpect: 100-continue\r\n\r\n";
}

bool is_asked_to_go_on(RawClient& client) {
  return client.read_until("\r\n\r\n").find("100 Continue") != std::string::npos;
}

TEST(HeldBodies, OfWhichThereIsNoRoomAreNotRead) {
  RunningServer server(count_body,
                       {.held_body_bytes = room_for_one, .body_patience = milliseconds(30)});
  RawClient first(server.port());
  first.send(head("ada", body_bytes));
  ASSERT_TRUE(is_asked_to_go_on(first));
  RawClient second(server.port());
  second.send(head("ada", body_bytes));
  const auto refused = second.read_answer();
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 429 ")) << refused;
  EXPECT_NE(refused.find("retry-after: "), refused.npos) << refused;
  RawClient other(server.port());
  other.send(head("bob", body_bytes));
  EXPECT_TRUE(other.read_answer().starts_with("HTTP/1.1 503 "));
  first.send(std::string(body_bytes, 'x'));
  EXPECT_TRUE(first.read_answer().ends_with(std::to_string(body_bytes)));
}

TEST(HeldBodies, DoNotKeepSmallOnesOut) {
  RunningServer server(count_body, {.held_body_bytes = room_for_one});
  RawClient first(server.port());
  first.send(head("ada", body_bytes));
  ASSERT_TRUE(is_asked_to_go_on(first));
  for (const char* owner : {"ada", "bob"}) {
    RawClient small(server.port());
    small.send(head(owner, 60'000));
    ASSERT_TRUE(is_asked_to_go_on(small));
    small.send(std::string(60'000, 'x'));
    EXPECT_TRUE(small.read_answer().ends_with("60000")) << owner;
  }
}

TEST(HeldBodies, AreReadAsSoonAsOthersHaveEnded) {
  RunningServer server(count_body,
                       {.held_body_bytes = room_for_one, .body_patience = std::chrono::minutes(1)});
  RawClient first(server.port()), second(server.port());
  first.send(head("ada", body_bytes));
  ASSERT_TRUE(is_asked_to_go_on(first));
  second.send(head("ada", body_bytes));
  first.send(std::string(body_bytes, 'x'));
  EXPECT_TRUE(first.read_answer().ends_with(std::to_string(body_bytes)));
  ASSERT_TRUE(is_asked_to_go_on(second));
  second.send(std::string(body_bytes, 'x'));
  EXPECT_TRUE(second.read_answer().ends_with(std::to_string(body_bytes)));
}

TEST(HeldBodies, OfUnknownLengthCountAsTheyCome) {
  RunningServer server(count_body,
                       {.held_body_bytes = room_for_one, .body_patience = milliseconds(30)});
  RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string piece = "2710\r\n" + std::string(10'000, 'x') + "\r\n";
  for (int i = 0; i < 40 && client.send(piece); ++i) {
  }
  EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 429 "));
}

}  // namespace
}  // namespace server
