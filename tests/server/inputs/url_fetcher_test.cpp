#include "server/inputs/url_fetcher.h"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "tests/server/outbound/loopback_server.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using test::http_answer;
using test::LoopbackServer;

std::string target(const std::string& request) {
  const auto begin = request.find(' ') + 1;
  return request.substr(begin, request.find(' ', begin) - begin);
}

class UrlFetcherTest : public ::testing::Test {
 protected:
  Result<UrlFetcher::Fetched> fetch(const std::string& url, UrlFetcher::Settings settings) {
    UrlFetcher fetcher(std::move(settings), spool_);
    return test::run(io_, fetcher.fetch(url, "ada"));
  }
  std::string code(const std::string& url, UrlFetcher::Settings settings) {
    const auto got = fetch(url, std::move(settings));
    return got ? "" : got.error().code;
  }
  bool is_empty() const { return fs::is_empty(spool_.folder()); }

  asio::io_context io_{1};
  test::TemporaryFolder root_{};
  Spool spool_ = Spool::open(root_ / "spool").value();
  const UrlFetcher::Settings own_{.allow_private = true};
  const UrlFetcher::Settings every_public_{.hosts = {"*"}};
};

TEST_F(UrlFetcherTest, PutsTheBytesIntoTheSpool) {
  const std::string body(3'000'000, 'x');
  LoopbackServer server([&](const std::string&) { return http_answer("200 OK", body); });
  const auto got = fetch(server.url("/talks/one%20two.mp3?x=1"), own_);
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->name, "one two.mp3");
  EXPECT_EQ(got->file.parent_path(), spool_.folder());
  EXPECT_TRUE(test::read_text(got->file) == body);
}

TEST_F(UrlFetcherTest, ConnectsToNoPrivateAddressHoweverItIsWritten) {
  LoopbackServer server([](const std::string&) { return http_answer("200 OK", "secret"); });
  for (const char* host : {"127.0.0.1", "localhost", "2130706433", "0x7f000001", "0177.0.0.1",
                           "127.1", "0.0.0.0", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]",
                           "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "localhost."}) {
    EXPECT_EQ(code(std::string("https://") + host + ":" + server.port() + "/", every_public_),
              errc::url_refused)
        << host;
  }
  EXPECT_TRUE(server.requests().empty());
  EXPECT_TRUE(is_empty());
}

TEST_F(UrlFetcherTest, FollowsRedirectsWithEveryCheckAgain) {
  LoopbackServer server([](const std::string& request) {
    const std::string path = target(request);
    if (path == "/a.mp3") return http_answer("302 Found", "no sound", "Location: /b\r\n");
    if (path == "/b") return http_answer("307 Temporary Redirect", "", "Location: c?d\r\n");
    if (path == "/file") return http_answer("302 Found", "", "Location: file:///etc/passwd\r\n");
    if (path == "/login") return http_answer("302 Found", "", "Location: http://u:p@a.org/\r\n");
    return http_answer("200 OK", "sound");
  });
  const auto got = fetch(server.url("/a.mp3"), own_);
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(test::read_text(got->file), "sound") << "nothing of the redirects' own bodies";
  EXPECT_EQ(got->name, "a.mp3");
  EXPECT_EQ(code(server.url("/file"), own_), errc::url_refused);
  EXPECT_EQ(code(server.url("/login"), own_), errc::url_refused);
}

TEST_F(UrlFetcherTest, DoesNotFollowForEver) {
  LoopbackServer server(
      [](const std::string&) { return http_answer("302 Found", "", "Location: /again\r\n"); });
  EXPECT_EQ(code(server.url("/"), own_), errc::url_refused);
  EXPECT_EQ(server.requests().size(), 6U);
  EXPECT_TRUE(is_empty());
}

TEST_F(UrlFetcherTest, IgnoresProxiesOfTheEnvironment) {
  LoopbackServer proxy([](const std::string&) { return http_answer("200 OK", "by a proxy"); });
  LoopbackServer server([](const std::string&) { return http_answer("200 OK", "direct"); });
  ::setenv("http_proxy", proxy.url("").c_str(), 1);
  ::setenv("all_proxy", proxy.url("").c_str(), 1);
  const auto got = fetch(server.url("/"), own_);
  ::unsetenv("http_proxy");
  ::unsetenv("all_proxy");
  ASSERT_TRUE(got);
  EXPECT_EQ(test::read_text(got->file), "direct");
}

TEST_F(UrlFetcherTest, StopsWhatIsTooLarge) {
  LoopbackServer server([](const std::string& request) {
    const std::string body(5000, 'x');
    if (target(request) == "/with-length") return http_answer("200 OK", body);
    return "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body;  // without a length
  });
  UrlFetcher::Settings small = own_;
  small.max_bytes = 4999;
  EXPECT_EQ(code(server.url("/with-length"), small), errc::too_large);
  EXPECT_EQ(code(server.url("/without-length"), small), errc::too_large);
  EXPECT_TRUE(is_empty());
  small.max_bytes = 5000;
  EXPECT_EQ(code(server.url("/with-length"), small), "");
  EXPECT_EQ(code(server.url("/without-length"), small), "");
}

TEST_F(UrlFetcherTest, FailuresAreErrorsAndLeaveNothing) {
  LoopbackServer server([](const std::string& request) {
    if (target(request) == "/missing") return http_answer("404 Not Found", "not sound");
    if (target(request) == "/cut")
      return std::string("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx");
    return std::string("no HTTP at all\r\n\r\n");
  });
  for (const char* path : {"/missing", "/cut", "/other"}) {
    EXPECT_EQ(code(server.url(path), own_), errc::unreachable) << path;
  }
  EXPECT_EQ(code("https://127.0.0.1:" + server.port() + "/", own_), errc::unreachable);
  UrlFetcher::Settings quick = own_;
  quick.limit = std::chrono::seconds(0);
  EXPECT_EQ(code(server.url("/late"), quick), errc::timed_out);
  EXPECT_TRUE(is_empty());
}

TEST_F(UrlFetcherTest, PagesOfRedirectsAndErrorsAreNoSound) {
  LoopbackServer server([](const std::string& request) {
    const std::string end = "Connection: close\r\n\r\n";  // without a length
    if (target(request) == "/moved") {
      return "HTTP/1.1 302 Found\r\nLocation: /sound\r\n" + end + "It is elsewhere.";
    }
    if (target(request) == "/missing") {
      return "HTTP/1.1 404 Not Found\r\n" + end + std::string(1'000'000, 'x');
    }
    return http_answer("200 OK", "sound");
  });
  UrlFetcher::Settings small = own_;
  small.max_bytes = 5;
  EXPECT_EQ(code(server.url("/moved"), small), "");
  EXPECT_EQ(code(server.url("/missing"), small), errc::unreachable) << "not read to its end";
}

TEST_F(UrlFetcherTest, CancellingEndsTheTransfer) {
  asio::cancellation_signal cancel;
  LoopbackServer server([&](const std::string&) {
    asio::post(io_, [&] { cancel.emit(asio::cancellation_type::terminal); });
    return std::string();  // silent until the client leaves: else this test would not end
  });
  UrlFetcher fetcher(own_, spool_);
  boost::system::error_code thrown;
  asio::co_spawn(io_, fetcher.fetch(server.url("/"), "ada"),
                 asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr failure, auto) {
                   try {
                     if (failure) std::rethrow_exception(failure);
                   } catch (const boost::system::system_error& error) {
                     thrown = error.code();
                   }
                 }));
  io_.run();
  EXPECT_EQ(thrown, asio::error::operation_aborted);
}

TEST_F(UrlFetcherTest, AddressesOfOneThatNeverAnswerDoNotHoldUpOthers) {
  LoopbackServer tar_pit([](const std::string&) { return ""; });
  LoopbackServer good([](const std::string&) { return http_answer("200 OK", "sound"); });
  UrlFetcher fetcher(own_, spool_);
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    asio::co_spawn(io_, fetcher.fetch(tar_pit.url("/"), "ada"),
                   [&](std::exception_ptr, auto got) { refused += got ? 0 : 1; });
  }
  EXPECT_TRUE(test::run(io_, fetcher.fetch(good.url("/"), "bob"))) << "before the others end";
  EXPECT_EQ(refused, 32);
}

TEST_F(UrlFetcherTest, RefusesMoreThanMayWait) {
  UrlFetcher::Settings narrow = own_;
  narrow.max_pending_of_one = 0;
  EXPECT_EQ(code("http://127.0.0.1:1/", narrow), errc::queue_full);
}

}  // namespace
}  // namespace server
