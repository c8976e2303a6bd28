#include "tests/server/http/raw_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cctype>

namespace server::test {
namespace {

constexpr int patience_ms = 10'000;

std::size_t content_length(std::string head) {
  std::ranges::transform(head, head.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto at = head.find("\r\ncontent-length: ");
  return at == head.npos ? 0 : std::stoul(head.substr(at + 18));
}

}  // namespace

RawClient::RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
}

RawClient::RawClient(const std::string& socket_file) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(socket_file, address.sun_path);
  EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool RawClient::receive() {
  pollfd readable{socket_.get(), POLLIN, 0};
  if (::poll(&readable, 1, patience_ms) != 1) return false;
  char bytes[65536];
  const auto got = ::recv(socket_.get(), bytes, sizeof bytes, 0);
  if (got <= 0) {
    closed_ = true;
    return false;
  }
  received_.append(bytes, static_cast<std::size_t>(got));
  return true;
}

std::string RawClient::read_until(std::string_view end) {
  auto at = received_.find(end);
  while (at == received_.npos && receive()) at = received_.find(end);
  const auto size = at == received_.npos ? received_.size() : at + end.size();
  std::string text = received_.substr(0, size);
  received_.erase(0, size);
  return text;
}

std::string RawClient::read_answer() {
  std::string answer = read_until("\r\n\r\n");
  const auto size = content_length(answer);
  while (received_.size() < size && receive()) {
  }
  answer += received_.substr(0, size);
  received_.erase(0, std::min(size, received_.size()));
  return answer;
}

std::string RawClient::read_all() {
  while (receive()) {
  }
  return std::exchange(received_, {});
}

void RawClient::close_sending() {
  ::shutdown(socket_.get(), SHUT_WR);
}

}  // namespace server::test
