#include "server/mcp/http_post.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "tests/server/api/fake_exchange.h"
#include "tests/server/api/sse_events.h"
#include "tests/server/mcp/test_calls.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"

namespace server {
namespace {

using protocol::mcp::Era;
using test::Json;

Json call_of(const char* tool, int id = 1) {
  return protocol::jsonrpc::request_message(id, "tools/call",
                                            {{"name", tool}, {"_meta", {{"progressToken", "p"}}}});
}

class HttpPosts : public testing::Test {
 protected:
  HttpPost made(bool may_stream, Era era = Era::legacy,
                const std::string& revision = "2025-11-25") {
    return {io.get_executor(), calls.features(), calls,
            HttpPost::Settings{
                .principal = "ada", .era = era, .revision = revision, .may_stream = may_stream}};
  }
  bool answer(HttpPost& post, Json message) {
    return test::run(io, post.answer(exchange, std::move(message)));
  }
  Json body() const { return Json::parse(exchange.answer.body); }
  unsigned status() const { return static_cast<unsigned>(exchange.answer.status); }

  // Begins a call whose client leaves before its answer.
  void leave(HttpPost& post) {
    exchange.has_left = true;
    EXPECT_FALSE(answer(post, call_of("slow")));
    EXPECT_FALSE(exchange.has_answered());
    ASSERT_TRUE(calls.was_begun());
  }
  asio::awaitable<int> ended(HttpPost& post) {
    co_await post.end();
    co_return 0;
  }

  asio::io_context io;
  test::TestCalls calls;
  test::FakeExchange exchange{http::verb::post, "/mcp"};
};

TEST_F(HttpPosts, AreAnsweredAsJsonWhereNothingComesBefore) {
  auto post = made(true);
  EXPECT_TRUE(answer(post, call_of("quick")));
  EXPECT_EQ(exchange.answer.content_type, "application/json");
  EXPECT_EQ(status(), 200U);
  EXPECT_EQ(body()["result"]["content"][0]["text"], "done for ada");
}

TEST_F(HttpPosts, BecomeAStreamWithTheFirstNewsOfACall) {
  auto post = made(true);
  EXPECT_TRUE(answer(post, call_of("telling")));
  EXPECT_EQ(exchange.answer.content_type, "text/event-stream");
  const auto events = test::sse_events(exchange.answer.body);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0]["method"], "notifications/progress");
  EXPECT_EQ(events[1]["id"], 1);
}

TEST_F(HttpPosts, KeepNewsFromClientsThatTakeNoStream) {
  auto post = made(false);
  EXPECT_TRUE(answer(post, call_of("telling")));
  EXPECT_EQ(exchange.answer.content_type, "application/json");
  EXPECT_EQ(body()["id"], 1);
}

TEST_F(HttpPosts, OfSeveralRequestsAreAnsweredByOneList) {
  auto post = made(false, Era::legacy, "2025-03-26");
  const Json ping = protocol::jsonrpc::request_message(1, "ping", Json::object());
  EXPECT_TRUE(answer(post, {ping, call_of("telling", 2), call_of("quick", 3)}));
  ASSERT_EQ(body().size(), 3U);
  int sum = 0;
  for (const Json& one : body()) sum += one["id"].get<int>();
  EXPECT_EQ(sum, 6);
}

TEST_F(HttpPosts, ACallThatAnotherPostCancelsHasNoAnswer) {
  auto post = made(true);
  const test::Started<bool> answering(io, post.answer(exchange, call_of("slow", 7)));
  io.poll();
  ASSERT_TRUE(calls.was_begun());
  post.receive(
      protocol::jsonrpc::notification_message("notifications/cancelled", {{"requestId", 7}}));
  test::run_until(io, [&] { return answering.ended(); });
  EXPECT_EQ(status(), 202U);
}

TEST_F(HttpPosts, AreAnsweredWhenScribedEnds) {
  auto post = made(true);
  const test::Started<bool> answering(io, post.answer(exchange, call_of("slow")));
  io.poll();
  post.close();
  test::run_until(io, [&] { return answering.ended(); });
  EXPECT_EQ(status(), 503U);
  EXPECT_TRUE(body().contains("error"));
}

TEST_F(HttpPosts, WhatALegacyClientLeavesGoesOnToItsEnd) {
  auto post = made(true);
  leave(post);
  const test::Started<int> ending(io, ended(post));
  io.restart();
  io.poll();
  EXPECT_FALSE(ending.ended());
  calls.release();
  test::run_until(io, [&] { return ending.ended(); });
  EXPECT_TRUE(calls.has_finished());
}

TEST_F(HttpPosts, WhatAModernClientLeavesIsCancelled) {
  auto post = made(true, Era::modern);
  leave(post);
  test::run(io, ended(post));
  EXPECT_TRUE(calls.was_cancelled());
}

TEST_F(HttpPosts, WhatIsLetGoEndsAndItsCallKnowsWhy) {
  auto post = made(true);
  leave(post);
  const test::Started<int> ending(io, ended(post));
  io.restart();
  io.poll();
  post.let_go();
  test::run_until(io, [&] { return ending.ended(); });
  EXPECT_TRUE(calls.was_let_go(1));
}

}  // namespace
}  // namespace server
