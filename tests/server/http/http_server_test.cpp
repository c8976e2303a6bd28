#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <regex>
#include <semaphore>
#include <stdexcept>

#include "server/http/error_response.h"
#include "server/http/sse.h"
#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"

namespace server {
namespace {

using test::RawClient;
using test::RunningServer;

const std::string get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

asio::awaitable<void> echo(Exchange& exchange) {
  auto body = co_await exchange.read_body(1000);
  Response response{.content_type = "text/plain"};
  response.body = std::string(exchange.path()) + "|" + (body ? *body : body.error().code);
  co_await exchange.send(std::move(response));
}

asio::awaitable<void> stream_three(Exchange& exchange) {
  Response head{.content_type = "text/plain"};
  co_await exchange.start_stream(std::move(head));
  for (const char* part : {"one", "", "two", "three"}) co_await exchange.write(part);
}

TEST(HttpServer, AnswersAGet) {
  RunningServer server(echo);
  RawClient client(server.port());
  client.send(get);
  const auto answer = client.read_answer();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\n/a|")) << answer;
  EXPECT_NE(answer.find("\r\nx-content-type-options: nosniff\r\n"), answer.npos);
  EXPECT_NE(answer.find("\r\ncache-control: no-store\r\n"), answer.npos);
}

TEST(HttpServer, KeepsTheConnectionForTheNextRequest) {
  RunningServer server(echo);
  RawClient client(server.port());
  for (const char* body : {"first", "other"}) {
    client.send(std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n") + body);
    EXPECT_TRUE(client.read_answer().ends_with(std::string("/|") + body));
  }
}

TEST(HttpServer, AnswersPipelinedRequestsInTheirOrder) {
  RunningServer server(echo);
  RawClient client(server.port());
  client.send(
      "POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\none"
      "POST /2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"
      "GET /3 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(client.read_answer().ends_with("\r\n\r\n/1|one"));
  EXPECT_TRUE(client.read_answer().ends_with("\r\n\r\n/2|two"));
  EXPECT_TRUE(client.read_answer().ends_with("\r\n\r\n/3|"));
}

TEST(HttpServer, ReadsARequestThatComesByteByByte) {
  RunningServer server(echo);
  RawClient client(server.port());
  const std::string request =
      "POST /1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n";
  for (const char byte : request) client.send(std::string_view(&byte, 1));
  EXPECT_TRUE(client.read_answer().ends_with("\r\n\r\n/1|one"));
}

TEST(HttpServer, GivesTheDecodedPathAndQuery) {
  RunningServer server([](Exchange& exchange) -> asio::awaitable<void> {
    Response response{.body = std::string(exchange.path()) + "|" +
                              exchange.query("q").value_or("none") + "|" +
                              exchange.query("r").value_or("none")};
    co_await exchange.send(std::move(response));
  });
  RawClient client(server.port());
  client.send("GET //models/a%2fb%20c?q=1+2%2B3&q=4 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(client.read_answer().ends_with("\r\n\r\n/models/a/b c|1 2+3|none"));
}

TEST(HttpServer, EchoesAPlainRequestIdAndMakesOneForOthers) {
  RunningServer server(echo);
  RawClient client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: job-7.a_B\r\n\r\n");
  EXPECT_NE(client.read_answer().find("\r\nx-request-id: job-7.a_B\r\n"), std::string::npos);
  client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: <script>\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_TRUE(std::regex_search(answer, std::regex("\r\nx-request-id: [0-9a-f]{16}\r\n")))
      << answer;
}

TEST(HttpServer, AsksForABodyThatWaitsToBeAskedFor) {
  RunningServer server(echo);
  RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("hi");
  EXPECT_TRUE(client.read_answer().ends_with("\r\n\r\n/|hi"));
}

TEST(HttpServer, DoesNotAskForABodyThatIsTooLong) {
  RunningServer server(echo);
  RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n");
  EXPECT_TRUE(client.read_answer().ends_with("\r\n\r\n/|too_large"));
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(client.closed());
}

TEST(HttpServer, LeavesTheBodyOutForHead) {
  RunningServer server(echo);
  RawClient client(server.port());
  client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n" + get);
  const auto head = client.read_until("\r\n\r\n");
  EXPECT_NE(head.find("\r\ncontent-length: 3\r\n"), head.npos) << head;
  EXPECT_TRUE(client.read_answer().ends_with("/a|"));
}

TEST(HttpServer, StreamsInChunksAndKeepsTheConnection) {
  RunningServer server(stream_three);
  RawClient client(server.port());
  for (int round = 0; round < 2; ++round) {
    client.send(get);
    const auto head = client.read_until("\r\n\r\n");
    EXPECT_NE(head.find("\r\ntransfer-encoding: chunked\r\n"), head.npos) << head;
    EXPECT_EQ(client.read_until("0\r\n\r\n"), "3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n");
  }
}

TEST(HttpServer, StreamsToHttp10UntilItCloses) {
  RunningServer server(stream_three);
  RawClient client(server.port());
  client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const auto head = client.read_until("\r\n\r\n");
  EXPECT_EQ(head.find("transfer-encoding"), head.npos) << head;
  EXPECT_NE(head.find("\r\nconnection: close\r\n"), head.npos) << head;
  EXPECT_EQ(client.read_all(), "onetwothree");
}

TEST(HttpServer, AnswersWhatAHandlerThrowsWith500) {
  RunningServer server([](Exchange&) -> asio::awaitable<void> {
    throw std::runtime_error("the disk is on fire");
    co_return;
  });
  RawClient client(server.port());
  client.send(get);
  const auto answer = client.read_answer();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 500 ")) << answer;
  EXPECT_NE(answer.find("\"type\":\"server_error\""), answer.npos) << answer;
  EXPECT_EQ(answer.find("fire"), answer.npos) << "what is inside must not be told to clients";
  EXPECT_EQ(server.record().error, "the disk is on fire");
  EXPECT_EQ(server.record().status, 500);
}

TEST(HttpServer, AnswersForAHandlerThatDoesNot) {
  RunningServer server([](Exchange&) -> asio::awaitable<void> { co_return; });
  RawClient client(server.port());
  client.send(get);
  EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 500 "));
}

TEST(HttpServer, BreaksAStreamWhoseHandlerThrows) {
  RunningServer server([](Exchange& exchange) -> asio::awaitable<void> {
    Response head = sse_head();
    co_await exchange.start_stream(std::move(head));
    const std::string event = sse_data("{}");
    co_await exchange.write(event);
    throw std::runtime_error("no more");
  });
  RawClient client(server.port());
  client.send(get);
  client.read_until("\r\n\r\n");
  EXPECT_EQ(client.read_all(), "a\r\ndata: {}\n\n\r\n") << "the end is missing, and clients see it";
  EXPECT_EQ(server.record().error, "no more");
}

TEST(HttpServer, TellsWhatItHasDone) {
  RunningServer server(echo);
  RawClient client(server.port());
  client.send(
      "POST /a?key=secret HTTP/1.1\r\nHost: x\r\nX-Request-Id: 7\r\nContent-Length: 2\r\n\r\nhi");
  const auto answer = client.read_answer();
  const auto record = server.record();
  EXPECT_EQ(record.method, "POST");
  EXPECT_EQ(record.path, "/a");
  EXPECT_EQ(record.status, 200);
  EXPECT_EQ(record.bytes_in, 2U);
  EXPECT_EQ(record.bytes_out, answer.size());
  EXPECT_EQ(record.trace.request_id, "7");
  EXPECT_EQ(record.peer, "local:" + std::to_string(::getuid()));
  EXPECT_EQ(record.error, "");
}

TEST(HttpServer, NamesTheErrorThatAnAnswerTells) {
  RunningServer server([](Exchange& exchange) -> asio::awaitable<void> {
    auto refusal = error_response({errc::forbidden, "no", ""});
    co_await exchange.send(std::move(refusal));
  });
  RawClient client(server.port());
  client.send(get);
  EXPECT_TRUE(client.read_answer().starts_with("HTTP/1.1 403 "));
  EXPECT_EQ(server.record().error, errc::forbidden);
}

TEST(HttpServer, DropsAShortBodyThatNobodyRead) {
  RunningServer server([](Exchange& exchange) -> asio::awaitable<void> {
    Response response{.body = "{}"};
    co_await exchange.send(std::move(response));
  });
  RawClient client(server.port());
  for (int round = 0; round < 2; ++round) {
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n");
    client.send(std::string(5000, 'x'));
    EXPECT_TRUE(client.read_answer().ends_with("{}"));
  }
}

TEST(HttpServer, ClosesOverALongBodyThatNobodyReadAndIsStillHeard) {
  RunningServer server([](Exchange& exchange) -> asio::awaitable<void> {
    Response response{.body = "{}"};
    co_await exchange.send(std::move(response));
  });
  RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n");
  EXPECT_TRUE(client.send(std::string(8'000'000, 'x'))) << "clients that send first do not read";
  const auto answer = client.read_answer();
  EXPECT_NE(answer.find("\r\nconnection: close\r\n"), answer.npos) << answer;
  EXPECT_TRUE(answer.ends_with("{}"));
  EXPECT_EQ(client.read_all(), "");
}

TEST(HttpServer, NoticesAClientThatLeavesWhileAHandlerWorks) {
  RunningServer server([](Exchange& exchange) -> asio::awaitable<void> {
    const auto body = co_await exchange.read_body(100);
    EXPECT_TRUE(body);
    co_await exchange.gone();
  });
  RawClient client(server.port());
  client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi");
  client.close();
  const auto record = server.record();
  EXPECT_EQ(record.status, 499);
  EXPECT_EQ(record.error, "client_gone");
}

TEST(HttpServer, NoticesAClientThatLeavesBehindBytesThatNobodyReads) {
  std::binary_semaphore has_read(0);
  RunningServer server([&](Exchange& exchange) -> asio::awaitable<void> {
    const auto body = co_await exchange.read_body(100);
    EXPECT_TRUE(body);
    has_read.release();
    co_await exchange.gone();
  });
  RawClient client(server.port());
  client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi");
  ASSERT_TRUE(has_read.try_acquire_for(std::chrono::seconds(10)));
  client.send("\r\n");  // into the socket, not with the body
  client.close();
  EXPECT_EQ(server.record().error, "client_gone");
}

TEST(HttpServer, SendsAddedHeadersWithWhateverIsAnswered) {
  RunningServer server([](Exchange& exchange) -> asio::awaitable<void> {
    exchange.add_headers({{"x-added", "1"}});
    if (exchange.path() == "/throw") throw std::runtime_error("broken");
    Response response{.content_type = "text/plain"};
    if (exchange.path() == "/stream") co_await exchange.start_stream(response);
    if (exchange.path() == "/send") co_await exchange.send(response);
  });
  for (const std::string path : {"/send", "/stream", "/throw", "/nothing"}) {
    RawClient client(server.port());
    client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto head = client.read_until("\r\n\r\n");
    EXPECT_NE(head.find("\r\nx-added: 1\r\n"), head.npos) << path << head;
  }
}

TEST(HttpServer, NamesTheClientOfATrustedProxyAlone) {
  const std::string request =
      "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9, 198.51.100.7\r\n\r\n";
  RunningServer direct(echo);
  RawClient liar(direct.port());
  liar.send(request);
  EXPECT_EQ(direct.record().peer, "local:" + std::to_string(::getuid()));
  RunningServer behind(echo, {}, {"127.0.0.0/8"});
  RawClient proxy(behind.port());
  proxy.send(request);
  EXPECT_EQ(behind.record().peer, "198.51.100.7");
}

TEST(HttpServer, TellsAHandlerThatItsStreamHasNoReader) {
  RunningServer server([](Exchange& exchange) -> asio::awaitable<void> {
    Response head = sse_head();
    co_await exchange.start_stream(std::move(head));
    const std::string part = sse_comment();
    bool is_heard = true;
    while (is_heard) {
      is_heard = co_await exchange.write(part);
      const auto executor = co_await asio::this_coro::executor;
      asio::steady_timer pause(executor, std::chrono::milliseconds(1));
      co_await pause.async_wait(asio::use_awaitable);
    }
  });
  RawClient client(server.port());
  client.send(get);
  client.read_until("\r\n\r\n");
  client.close();
  EXPECT_EQ(server.record().error, "client_gone");
}

TEST(HttpServer, ReportsABodyThatBreaksOff) {
  RunningServer server(echo);
  RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel");
  client.close_sending();
  EXPECT_TRUE(client.read_answer().ends_with("/|client_gone"));
}

}  // namespace
}  // namespace server
