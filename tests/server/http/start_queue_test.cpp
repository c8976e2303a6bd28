#include "server/http/start_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"

namespace server {
namespace {

// Clients are named by their network and credential: "a1".
class StartQueueTest : public testing::Test {
 protected:
  using Names = std::vector<std::string>;

  static asio::awaitable<void> starting(StartQueue& queue, std::string name, Names& started) {
    StartQueue::Client client{.network = name.substr(0, 1),
                              .credential = static_cast<std::size_t>(name.at(1))};
    auto work = queue.start(std::move(client));
    co_await std::move(work);
    started.push_back(name);
  }
  void start(const std::string& name, int times = 1) {
    for (int i = 0; i < times; ++i) {
      asio::co_spawn(io, starting(*queue, name, started), [](std::exception_ptr) {});
    }
  }
  // Runs what is ready now, without what that makes ready.
  void run_pass() {
    bool is_over = false;
    asio::post(io, [&] { is_over = true; });
    io.restart();
    while (!is_over) io.run_one();
  }
  std::ptrdiff_t count(const std::string& name) const { return std::ranges::count(started, name); }
  std::ptrdiff_t place_of(const std::string& name) const {
    return std::ranges::find(started, name) - started.begin();
  }

  asio::io_context io;
  std::optional<StartQueue> queue{io.get_executor()};
  Names started;
};

TEST_F(StartQueueTest, StartsAtOnceWhatFindsNobodyWaiting) {
  start("a1", StartQueue::most_starts);
  run_pass();
  EXPECT_EQ(count("a1"), StartQueue::most_starts);
  run_pass();
  start("a1", StartQueue::most_starts);
  run_pass();
  EXPECT_EQ(count("a1"), 2 * StartQueue::most_starts);
}

TEST_F(StartQueueTest, StartsAFewInEachPass) {
  start("a1", 100);
  std::size_t before = 0;
  for (int pass = 0; pass < 60; ++pass) {
    run_pass();
    EXPECT_LE(started.size() - before, std::size_t{StartQueue::most_starts}) << pass;
    before = started.size();
  }
  EXPECT_EQ(started.size(), 100U);
  EXPECT_EQ(queue->waiting(), 0U);
}

TEST_F(StartQueueTest, StartsNetworksInTurn) {
  start("a1", 100);
  start("b1", 100);
  run_pass();
  start("c1");
  io.run();
  EXPECT_LE(place_of("c1"), 3 * StartQueue::most_starts);
  started.resize(40);
  EXPECT_NEAR(count("a1"), count("b1"), 2 * StartQueue::most_starts);
}

TEST_F(StartQueueTest, StartsCredentialsOfANetworkInTurn) {
  start("a1", 100);
  start("a2", 100);
  start("b1", 100);
  run_pass();
  start("a3");
  io.run();
  EXPECT_LE(place_of("a3"), 5 * StartQueue::most_starts);
  started.resize(60);
  EXPECT_NEAR(count("b1"), count("a1") + count("a2"), 2 * StartQueue::most_starts)
      << "further credentials are no further share";
  EXPECT_NEAR(count("a1"), count("a2"), 2 * StartQueue::most_starts);
}

TEST_F(StartQueueTest, StartsWhatCameFirstFirst) {
  start("a1", 100);
  run_pass();
  Names order;
  for (const char* name : {"x", "y", "z"}) {
    asio::co_spawn(
        io,
        [](StartQueue& queue, std::string name, Names& order) -> asio::awaitable<void> {
          auto work = queue.start({.network = "b"});
          co_await std::move(work);
          order.push_back(name);
        }(*queue, name, order),
        [](std::exception_ptr) {});
  }
  io.run();
  EXPECT_EQ(order, (Names{"x", "y", "z"}));
}

TEST_F(StartQueueTest, LosesACancelledCall) {
  start("a1", 20);
  asio::cancellation_signal stop;
  bool is_aborted = false;
  asio::co_spawn(io, starting(*queue, "a1", started),
                 asio::bind_cancellation_slot(stop.slot(), [&](std::exception_ptr failure) {
                   is_aborted = failure != nullptr;
                 }));
  run_pass();
  EXPECT_EQ(queue->waiting(), 20U + 1U - StartQueue::most_starts);
  stop.emit(asio::cancellation_type::terminal);
  while (!is_aborted && io.run_one() > 0) {
  }
  EXPECT_TRUE(is_aborted);
  EXPECT_EQ(queue->waiting(), 20U - 3 * StartQueue::most_starts) << "two passes have begun";
  io.run();
  EXPECT_EQ(count("a1"), 20);
  EXPECT_EQ(queue->waiting(), 0U);
}

TEST_F(StartQueueTest, MayEndBeforeItsNextPass) {
  start("a1");
  io.run_one();
  queue.reset();
  io.run();
  EXPECT_EQ(count("a1"), 1);
}

// One client has requests in a row on many connections; another client's request has many steps.
TEST(HttpServer, StartsAFewRequestsInEachPass) {
  constexpr int steps = 20;
  int starts = 0;
  test::RunningServer server([&](Exchange& exchange) -> asio::awaitable<void> {
    const int before = ++starts;
    if (exchange.headers().count(http::field::authorization) > 0) {
      const auto executor = co_await asio::this_coro::executor;
      for (int i = 0; i < steps; ++i) co_await asio::post(executor, asio::use_awaitable);
    }
    Response response{.body = std::to_string(starts - before)};
    co_await exchange.send(std::move(response));
  });
  std::string many;
  for (int i = 0; i < 100; ++i) many += "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  std::deque<test::RawClient> flood;
  for (int i = 0; i < 100; ++i) flood.emplace_back(server.port());
  test::RawClient other(server.port());
  for (auto& client : flood) client.send(many);
  other.send("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n");
  const auto answer = other.read_answer();
  EXPECT_LE(std::stoi(answer.substr(answer.find("\r\n\r\n") + 4)),
            (steps + 2) * StartQueue::most_starts);
}

}  // namespace
}  // namespace server
