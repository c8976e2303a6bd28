#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using test::FakeExchange;

// A stream that is read for a while, and then left.
class EventsRoute : public test::ApiFixture {
 protected:
  // Runs the stream until the text has come, and leaves.
  std::string read_until(FakeExchange& exchange, const std::string& last) {
    asio::co_spawn(io, dispatch(api, exchange), asio::detached);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (exchange.answer.body.find(last) == std::string::npos &&
           std::chrono::steady_clock::now() < deadline) {
      io.restart();
      io.run_one_for(std::chrono::milliseconds(100));
    }
    exchange.has_left = true;
    io.restart();
    io.run_for(std::chrono::milliseconds(20));
    return exchange.answer.body;
  }
  static std::string last_id(const std::string& text) {
    const auto begin = text.rfind("id: ") + 4;
    return text.substr(begin, text.find('\n', begin) - begin);
  }
};

TEST_F(EventsRoute, BeginsWithTheStatus) {
  FakeExchange exchange(http::verb::get, "/v1/events");
  const std::string text = read_until(exchange, "status");
  EXPECT_EQ(text.find("id: "), 0U);
  EXPECT_NE(text.find("\ndata: {\"type\":\"status\",\"waiting\":0}\n\n"), std::string::npos)
      << text;
  EXPECT_EQ(exchange.answer.content_type, "text/event-stream");
}

TEST_F(EventsRoute, GoesOnBehindTheLastEventThatWasRead) {
  FakeExchange first(http::verb::get, "/v1/events");
  const std::string id = last_id(read_until(first, "status"));
  events.pull_ended("small", std::nullopt);
  FakeExchange second(http::verb::get, "/v1/events");
  second.fields.set("Last-Event-ID", id);
  const std::string text = read_until(second, "model.ended");
  EXPECT_NE(text.find("small"), std::string::npos);
  EXPECT_EQ(text.find("reset"), std::string::npos);
  FakeExchange third(http::verb::get, "/v1/events");
  third.queries = {{"last_event_id", last_id(text)}};
  EXPECT_EQ(read_until(third, "status").find("model.ended"), std::string::npos) << "it was read";
}

TEST_F(EventsRoute, SaysThatAnIdIsTooOld) {
  FakeExchange exchange(http::verb::get, "/v1/events");
  exchange.fields.set("Last-Event-ID", "of-an-earlier-process-7");
  const std::string text = read_until(exchange, "reset");
  EXPECT_LT(text.find("status"), text.find("reset"));
  EXPECT_NE(text.find("data: {\"type\":\"reset\"}\n\n"), std::string::npos) << text;
}

TEST_F(EventsRoute, TellsLessWithoutTheRight) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe]"));
  FakeExchange exchange(http::verb::get, "/v1/events");
  exchange.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
  const std::string text = read_until(exchange, "status");
  EXPECT_NE(text.find("\"waiting\":null"), std::string::npos) << text;
}

TEST_F(EventsRoute, EndsWhenTheServerDoes) {
  FakeExchange exchange(http::verb::get, "/v1/events");
  bool has_ended = false;
  asio::co_spawn(io, dispatch(api, exchange), [&](std::exception_ptr) { has_ended = true; });
  io.run_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(has_ended);
  events.close();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!has_ended && std::chrono::steady_clock::now() < deadline) {
    io.restart();
    io.run_one_for(std::chrono::milliseconds(100));
  }
  EXPECT_TRUE(has_ended);
}

}  // namespace
}  // namespace server
