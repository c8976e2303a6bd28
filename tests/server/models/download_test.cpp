#include "server/models/download.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "platform/unique_fd.h"
#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

// Takes one connection, promises 10,000 bytes, and sends one of them now and then until its client
// has had enough.
class SlowServer {
 public:
  SlowServer() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_.get(), plain, size) != 0 || ::listen(listener_.get(), 1) != 0 ||
        ::getsockname(listener_.get(), plain, &size) != 0) {
      throw std::runtime_error("cannot listen");
    }
    url_ = "http://127.0.0.1:" + std::to_string(::ntohs(address.sin_port)) + "/file";
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }
  ~SlowServer() {
    thread_.request_stop();
    ::shutdown(listener_.get(), SHUT_RDWR);
  }
  const std::string& url() const { return url_; }

 private:
  void serve(const std::stop_token& stop) {
    const platform::UniqueFd client(::accept(listener_.get(), nullptr, nullptr));
    std::string next = "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n";
    while (!stop.stop_requested() &&
           ::send(client.get(), next.data(), next.size(), MSG_NOSIGNAL) > 0) {
      next = "x";
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  platform::UniqueFd listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::string url_;
  std::jthread thread_;
};

TEST(Download, GivesUpOnAServerThatSendsNextToNothing) {
  const testing::TemporaryFolder folder;
  SlowServer server;
  const auto done = download({.url = server.url(),
                              .to = folder.path() / "file",
                              .identity = "x",
                              .size = 10000,
                              .patience = std::chrono::seconds(1),
                              .retries = 0},
                             {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, StoreErrc::unreachable);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "file"));
}

}  // namespace
}  // namespace server
