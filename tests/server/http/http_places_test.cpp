#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <deque>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/http/start_queue.h"
#include "tests/server/http/handlers.h"
#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"

// Connections and descriptors are limited: who gives its place to whom.
namespace server {
namespace {

using test::get;
using test::RawClient;
using test::read_body;
using test::RunningServer;
using test::wait_forever;

TEST(HttpPlaces, TurnAwayConnectionsBeyondTheirNumberWhereAllWork) {
  std::counting_semaphore<2> working(0);
  const auto work = [&](Exchange& exchange) {
    working.release();
    return wait_forever(exchange);
  };
  RunningServer server(work, {.connections = 2});
  RawClient first(server.port());
  RawClient second(server.port());
  first.send(get);
  second.send(get);
  for (int at = 0; at < 2; ++at) ASSERT_TRUE(working.try_acquire_for(std::chrono::seconds(10)));
  RawClient third(server.port());
  EXPECT_TRUE(third.read_all().starts_with("HTTP/1.1 503 "));
}

TEST(HttpPlaces, GiveThePlaceOfClientsThatOweTheRestOfABodyToOthers) {
  const auto answer_at_once = [](Exchange& exchange) { return exchange.send({}); };
  RunningServer server(answer_at_once, {.connections = 1});
  RawClient slow(server.port());
  slow.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
  EXPECT_TRUE(slow.read_answer().starts_with("HTTP/1.1 200 "));
  RawClient next(server.port());
  next.send(get);
  EXPECT_TRUE(next.read_answer().starts_with("HTTP/1.1 200 "));
}

// Only a body that comes before its sender is known, such as that of signing in, makes room.
TEST(HttpPlaces, GiveThePlaceOfUnknownClientsThatSendABodySlowlyToOthers) {
  for (const bool is_known : {false, true}) {
    std::counting_semaphore<1> reading(0);
    const auto read_slowly = [&](Exchange& exchange) {
      exchange.name_key(is_known ? "ada" : "");
      if (exchange.method() == http::verb::post) reading.release();
      return read_body(exchange);
    };
    RunningServer server(read_slowly, {.connections = 1});
    RawClient slow(server.port());
    slow.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx");
    ASSERT_TRUE(reading.try_acquire_for(std::chrono::seconds(10)));
    RawClient next(server.port());
    if (!is_known) next.send(get);
    const std::string answer = is_known ? next.read_all() : next.read_answer();
    EXPECT_TRUE(answer.starts_with(is_known ? "HTTP/1.1 503 " : "HTTP/1.1 200 ")) << answer;
  }
}

TEST(HttpPlaces, GiveThePlaceOfClientsThatDoNotReadTheirAnswersToOthers) {
  std::counting_semaphore<2> answered(0);
  const auto answer_at_once = [&](Exchange& exchange) {
    answered.release();
    const bool is_large = exchange.path() == "/a";
    return exchange.send({.body = std::string(is_large ? 64 << 20 : 1, 'x')});
  };
  RunningServer server(answer_at_once, {.connections = 1});
  RawClient slow(server.port());
  slow.send(get);
  ASSERT_TRUE(answered.try_acquire_for(std::chrono::seconds(10)));
  RawClient next(server.port());
  next.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(next.read_answer().starts_with("HTTP/1.1 200 "));
}

TEST(HttpPlaces, RequestsThatCameTogetherTakeTurnsWithThoseOfOthers) {
  std::vector<std::string> paths;
  std::counting_semaphore<1> first(0), others(0);
  const auto answer = [&](Exchange& exchange) {
    paths.emplace_back(exchange.path());
    if (paths.size() == 1) {
      first.release();
      others.acquire();  // until the second client's request is there, too
    }
    return exchange.send({});
  };
  RunningServer server(answer);
  RawClient many(server.port()), one(server.port());
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += get;
  many.send(requests);
  ASSERT_TRUE(first.try_acquire_for(std::chrono::seconds(10)));
  one.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  others.release();
  one.read_answer();
  for (int i = 0; i < 100; ++i) many.read_answer();
  ASSERT_EQ(paths.size(), 101U);
  EXPECT_NE(paths.back(), "/b") << "it had to wait for all of them";
}

TEST(HttpPlaces, GiveThePlaceOfIdleConnectionsToOthers) {
  RunningServer server(read_body, {.connections = 1});
  RawClient idle(server.port());
  idle.send(get);
  EXPECT_TRUE(idle.read_answer().starts_with("HTTP/1.1 200 "));
  RawClient next(server.port());
  next.send(get);
  EXPECT_TRUE(next.read_answer().starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(idle.read_all(), "");
  EXPECT_TRUE(idle.closed());
}

TEST(HttpPlaces, GiveThePlaceOfTheOldestHalfHeaderToOthers) {
  constexpr std::size_t count = 8;
  RunningServer server(read_body, {.connections = count});
  std::deque<RawClient> half;
  std::size_t accepted = 0;
  while (half.size() < count) {
    half.emplace_back(server.port());
    half.back().send("GET / HTTP/1.1\r\nHo");
    while (accepted < half.size()) {
      server.on_thread([&](HttpServer& http) { accepted = http.connections(); });
    }
  }
  for (std::size_t at = 0; at < count / 2; ++at) {
    RawClient client(server.port());
    client.send(get);
    EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 200 ")) << "client " << at;
    EXPECT_EQ(half[at].read_all(), "");
    EXPECT_TRUE(half[at].closed());
    half.emplace_back(server.port());  // they come again
    half.back().send("GET / HTTP/1.1\r\nHo");
  }
  half[count - 1].send("st: x\r\n\r\n");
  EXPECT_TRUE(half[count - 1].read_answer().starts_with("HTTP/1.1 200 ")) << "not the oldest";
}

// Limits the descriptors of this whole process for the time of a test.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t count) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{count, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST(HttpPlaces, SurviveTheEndOfDescriptors) {
  RunningServer server(read_body);
  {
    const FewDescriptors few(40);
    std::deque<RawClient> clients;  // takes the descriptors that the server's ends would need
    std::vector<platform::UniqueFd> taken;
    for (int at = 0; at < 8; ++at) clients.emplace_back(server.port());
    for (int fd = 0; fd >= 0;) {
      fd = ::socket(AF_INET, SOCK_STREAM, 0);
      if (fd >= 0) taken.emplace_back(fd);
    }
    // Clients that were accepted before are answered; the others wait.
    clients.front().send(get);
    taken.clear();
    EXPECT_TRUE(clients.front().read_answer().starts_with("HTTP/1.1 200 "));
  }
  RawClient next(server.port());
  next.send(get);
  EXPECT_TRUE(next.read_answer().starts_with("HTTP/1.1 200 "));
}

TEST(HttpPlaces, TellClientsForWhomThereIsNoDescriptor) {
  RunningServer server(read_body);
  const FewDescriptors few(40);
  RawClient first(server.port());
  first.send(get);
  EXPECT_TRUE(first.read_answer().starts_with("HTTP/1.1 200 "));
  std::vector<platform::UniqueFd> taken;
  std::deque<RawClient> clients;
  const auto take_all = [&taken] {
    for (int fd = 0; fd >= 0;) {
      fd = ::socket(AF_INET, SOCK_STREAM, 0);
      if (fd >= 0) taken.emplace_back(fd);
    }
  };
  take_all();
  taken.pop_back();
  clients.emplace_back(server.port());  // on the one that was free, so its other end gets none
  const auto refused = clients.back().read_answer();
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 503 ")) << refused;
  EXPECT_NE(refused.find("out_of_descriptors"), refused.npos) << refused;
  EXPECT_NE(refused.find("retry-after: "), refused.npos) << refused;
  taken.clear();
  RawClient next(server.port());
  next.send(get);
  EXPECT_TRUE(next.read_answer().starts_with("HTTP/1.1 200 "));
}

// Counts how many requests go on in one pass of the event loop.
struct Passes {
  int now = 0;   // in this pass
  int most = 0;  // in any
  int all = 0;

  void count(const asio::any_io_executor& executor) {
    if (now == 0) asio::post(executor, [this] { now = 0; });
    most = std::max(most, ++now);
    ++all;
  }
};

// The work comes behind the body, and others wait for all of it that falls into one pass.
TEST(HttpPlaces, RequestsWhoseBodiesEndTogetherGoOnInTurn) {
  constexpr int clients = 64;
  Passes passes;
  const auto work = [&](Exchange& exchange) -> asio::awaitable<void> {
    const auto body = co_await exchange.read_body(2);
    const auto executor = co_await asio::this_coro::executor;
    passes.count(executor);
    Response answer{.body = body ? *body : std::string()};
    co_await exchange.send(std::move(answer));
  };
  RunningServer server(work);
  std::deque<RawClient> all;
  for (int i = 0; i < clients; ++i) {
    all.emplace_back(server.port());
    all.back().send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na");
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the beginnings have come
  server.on_thread([&](HttpServer&) {
    for (auto& client : all) client.send("b");
  });
  for (auto& client : all) EXPECT_TRUE(client.read_answer().ends_with("ab"));
  server.on_thread([&](HttpServer&) {
    EXPECT_EQ(passes.all, clients);
    EXPECT_LE(passes.most, StartQueue::most_starts);
  });
}

}  // namespace
}  // namespace server
