#include "server/webhooks/webhook_sender.h"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "tests/server/outbound/loopback_server.h"
#include "tests/server/run_coroutine.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using test::http_answer;
using test::LoopbackServer;

constexpr char secret[] = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

std::string header(const std::string& request, const std::string& name) {
  const auto at = request.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const auto begin = at + 4 + name.size();
  return request.substr(begin, request.find("\r\n", begin) - begin);
}

class WebhookSenderTest : public ::testing::Test {
 protected:
  static WebhookSender::Settings settings() {
    return {.secret = WebhookSecret::parse(secret).value(),
            .allow_hosts = {"127.0.0.1"},
            .wait = [](int tries, double) -> std::optional<milliseconds> {
              if (tries > 3) return std::nullopt;
              return milliseconds(1);
            }};
  }
  // Returns the error's code; empty: it was delivered.
  std::string deliver(WebhookSender::Settings some, const std::string& url, int tries = 0) {
    WebhookSender sender(std::move(some));
    const auto result =
        test::run(io_, sender.deliver({"msg_1", url, R"({"a":1})", tries},
                                      [this](int failed) { failures_.push_back(failed); }));
    return result ? "" : result.error().code;
  }

  asio::io_context io_{1};
  std::vector<int> failures_{};
};

TEST_F(WebhookSenderTest, PostsASignedBody) {
  LoopbackServer server([](const std::string&) { return http_answer("204 No Content", ""); });
  EXPECT_EQ(deliver(settings(), server.url("/hook?x=1")), "");
  ASSERT_EQ(server.requests().size(), 1U);
  const auto request = server.requests().front();
  EXPECT_TRUE(request.starts_with("POST /hook?x=1 HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(request.ends_with("\r\n\r\n{\"a\":1}")) << request;
  EXPECT_EQ(header(request, "Content-Type"), "application/json");
  EXPECT_EQ(header(request, "webhook-id"), "msg_1");
  const auto expected = WebhookSecret::parse(secret)->sign(
      "msg_1", std::stoll(header(request, "webhook-timestamp")), R"({"a":1})");
  EXPECT_EQ(header(request, "webhook-signature"), expected);
}

TEST_F(WebhookSenderTest, WithoutASecretThereIsNoSignature) {
  LoopbackServer server([](const std::string&) { return http_answer("200 OK", "fine"); });
  auto some = settings();
  some.secret.reset();
  EXPECT_EQ(deliver(some, server.url("/")), "");
  EXPECT_EQ(header(server.requests().front(), "webhook-signature"), "");
  EXPECT_EQ(header(server.requests().front(), "webhook-id"), "msg_1");
}

TEST_F(WebhookSenderTest, TriesAgainUntilItIsTaken) {
  int answers = 0;
  LoopbackServer server([&](const std::string&) {
    ++answers;
    if (answers == 1) return http_answer("500 Internal Server Error", "");
    if (answers == 2) return http_answer("302 Found", "", "Location: /else\r\n");
    return http_answer("200 OK", "");
  });
  EXPECT_EQ(deliver(settings(), server.url("/")), "");
  EXPECT_EQ(server.requests().size(), 3U);
  EXPECT_EQ(failures_, (std::vector<int>{1, 2}));
  EXPECT_EQ(header(server.requests()[0], "webhook-id"), header(server.requests()[2], "webhook-id"));
}

// libcurl 7.88 keeps the headers behind a body, however many there are.
TEST_F(WebhookSenderTest, HeadersThatNeverEndAreGivenUp) {
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "X-More: " + std::string(100, 'x') + "\r\n";
  LoopbackServer server([&](const std::string&) {
    return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + many + "\r\n";
  });
  EXPECT_EQ(deliver(settings(), server.url("/")), errc::unreachable);
}

TEST_F(WebhookSenderTest, GivesUpAfterTheLastTry) {
  LoopbackServer server([](const std::string&) { return http_answer("503 Busy", ""); });
  EXPECT_EQ(deliver(settings(), server.url("/")), errc::unreachable);
  EXPECT_EQ(server.requests().size(), 4U);
  EXPECT_EQ(deliver(settings(), server.url("/"), 3), errc::unreachable);
  EXPECT_EQ(server.requests().size(), 5U) << "tries before a restart count";
}

TEST_F(WebhookSenderTest, StopsAtOnceWhereNobodyWantsItAnyMore) {
  LoopbackServer server([](const std::string&) { return http_answer("410 Gone", ""); });
  EXPECT_EQ(deliver(settings(), server.url("/")), errc::url_refused);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(WebhookSenderTest, DoesNotReadAnEndlessAnswer) {
  LoopbackServer server(
      [](const std::string&) { return http_answer("200 OK", std::string(1'000'000, 'x')); });
  EXPECT_EQ(deliver(settings(), server.url("/"), 3), "") << "the status is enough";
}

TEST_F(WebhookSenderTest, GoesToNoOtherPrivateAddress) {
  LoopbackServer server([](const std::string&) { return http_answer("200 OK", ""); });
  for (const std::string& host : {std::string("localhost"), std::string("[::ffff:127.0.0.1]"),
                                  std::string("0.0.0.0"), std::string("127.0.0.2")}) {
    EXPECT_EQ(deliver(settings(), "https://" + host + ":" + server.port() + "/"), errc::url_refused)
        << host;
  }
  EXPECT_TRUE(server.requests().empty());
  EXPECT_TRUE(failures_.empty());
}

TEST_F(WebhookSenderTest, TellsBeforehandWhatItWouldRefuse) {
  const WebhookSender sender(settings());
  EXPECT_TRUE(sender.check("https://example.org/hook"));
  EXPECT_TRUE(sender.check("http://127.0.0.1:9/hook"));
  EXPECT_EQ(sender.check("http://example.org/hook").error().code, errc::url_refused);
  EXPECT_EQ(sender.check("file:///etc/passwd").error().code, errc::url_refused);
  EXPECT_EQ(sender.check("https://169.254.169.254/").error().code, errc::url_refused);
}

TEST_F(WebhookSenderTest, RefusesMoreThanMayWait) {
  auto none = settings();
  none.max_deliveries_of_one = 0;
  EXPECT_EQ(deliver(none, "http://127.0.0.1:1/"), errc::queue_full);
}

TEST_F(WebhookSenderTest, ReceiversOfOneThatNeverAnswerDoNotHoldUpOthers) {
  LoopbackServer tar_pit([](const std::string&) { return ""; });
  LoopbackServer good([](const std::string&) { return http_answer("200 OK", ""); });
  WebhookSender sender(settings());
  const auto on_failure = [this](int failed) { failures_.push_back(failed); };
  for (int i = 0; i < 10; ++i) {
    asio::co_spawn(io_, sender.deliver({"msg_1", tar_pit.url("/"), "{}", 0, "ada"}, on_failure),
                   asio::detached);
  }
  EXPECT_TRUE(test::run(io_, sender.deliver({"msg_2", good.url("/"), "{}", 0, "bob"}, on_failure)));
  EXPECT_EQ(good.requests().size(), 1U);
  EXPECT_TRUE(failures_.empty()) << "it waited for the others";
}

TEST_F(WebhookSenderTest, CancellingEndsTheWaitForTheNextTry) {
  LoopbackServer server([](const std::string&) { return http_answer("500 No", ""); });
  auto slow = settings();
  slow.wait = [](int, double) { return milliseconds(std::chrono::hours(1)); };
  WebhookSender sender(slow);
  asio::cancellation_signal cancel;
  bool has_thrown = false;
  asio::co_spawn(
      io_,
      sender.deliver(
          {"msg_1", server.url("/"), "{}", 0},
          [&](int) { asio::post(io_, [&] { cancel.emit(asio::cancellation_type::terminal); }); }),
      asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr failure, auto) {
        has_thrown = failure != nullptr;
      }));
  io_.run();
  EXPECT_TRUE(has_thrown);
}

TEST(WebhookWait, GrowsAndEnds) {
  using std::chrono::seconds;
  EXPECT_EQ(webhook_wait(1, 0), seconds(5));
  EXPECT_EQ(webhook_wait(2, 0), seconds(30));
  EXPECT_EQ(webhook_wait(3, 0), seconds(120));
  EXPECT_EQ(webhook_wait(4, 0), seconds(600));
  EXPECT_EQ(webhook_wait(5, 0), seconds(3600));
  EXPECT_EQ(webhook_wait(5, 1), seconds(4320));
  EXPECT_FALSE(webhook_wait(6, 0));
  EXPECT_FALSE(webhook_wait(0, 0));
}

}  // namespace
}  // namespace server
