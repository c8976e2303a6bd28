#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <semaphore>
#include <thread>

#include "server/base/exhausted.h"
#include "server/http/error_response.h"
#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using test::RawClient;
using test::RunningServer;

const std::string get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

asio::awaitable<void> read_body(Exchange& exchange) {
  const auto body = co_await exchange.read_body(1'000'000);
  Response response;
  if (!body) response = error_response(body.error());
  co_await exchange.send(std::move(response));
}

asio::awaitable<void> wait_forever(Exchange& exchange) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor, asio::steady_timer::time_point::max());
  co_await timer.async_wait(asio::use_awaitable);
  co_await exchange.gone();
}

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

TEST(HttpLimits, TurnAwayConnectionsBeyondTheirNumberWhereAllWork) {
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

TEST(HttpLimits, GiveThePlaceOfClientsThatOweTheRestOfABodyToOthers) {
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
TEST(HttpLimits, GiveThePlaceOfUnknownClientsThatSendABodySlowlyToOthers) {
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

TEST(HttpLimits, GiveThePlaceOfClientsThatDoNotReadTheirAnswersToOthers) {
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

TEST(HttpLimits, RequestsThatCameTogetherTakeTurnsWithThoseOfOthers) {
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

TEST(HttpLimits, GiveThePlaceOfIdleConnectionsToOthers) {
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

TEST(HttpLimits, GiveThePlaceOfTheOldestHalfHeaderToOthers) {
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

TEST(HttpLimits, SurviveTheEndOfDescriptors) {
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

TEST(HttpLimits, TellClientsForWhomThereIsNoDescriptor) {
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
