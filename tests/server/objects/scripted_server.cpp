#include "tests/server/objects/scripted_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace server::test {
namespace {

bool add_bytes(int from, std::string& text) {
  std::array<char, 4096> buffer{};
  const auto got = ::recv(from, buffer.data(), buffer.size(), 0);
  if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

// Returns the head, and reads the body, too: what is left unread would end the connection early.
std::string read_request(int from) {
  std::string text;
  auto end = text.npos;
  while ((end = text.find("\r\n\r\n")) == text.npos) {
    if (!add_bytes(from, text)) return text;
  }
  const auto length = text.find("Content-Length: ");
  const auto body = length < end ? std::strtoul(text.c_str() + length + 16, nullptr, 10) : 0;
  while (text.size() < end + 4 + body && add_bytes(from, text)) {
  }
  return text.substr(0, end);
}

}  // namespace

ScriptedServer::ScriptedServer(std::vector<std::string> answers, std::chrono::milliseconds wait)
    : answers_(std::move(answers)),
      wait_(wait),
      listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 ||
      ::listen(listener_.get(), 8) != 0) {
    throw std::runtime_error("the server cannot listen");
  }
  thread_ = std::thread([this] { serve(); });
}

ScriptedServer::~ScriptedServer() {
  is_over_ = true;
  thread_.join();
}

std::string ScriptedServer::address() const {
  sockaddr_in at{};
  socklen_t size = sizeof at;
  ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&at), &size);
  return "http://127.0.0.1:" + std::to_string(ntohs(at.sin_port));
}

std::vector<std::string> ScriptedServer::heads() const {
  const std::scoped_lock lock(mutex_);
  return heads_;
}

void ScriptedServer::serve() {
  for (const auto& answer : answers_) {
    pollfd wait{.fd = listener_.get(), .events = POLLIN, .revents = 0};
    while (!is_over_ && ::poll(&wait, 1, 20) <= 0) {
    }
    if (is_over_) return;
    const platform::UniqueFd client(::accept(listener_.get(), nullptr, nullptr));
    auto head = read_request(client.get());
    {
      const std::scoped_lock lock(mutex_);
      heads_.push_back(std::move(head));
    }
    std::this_thread::sleep_for(wait_);
    (void)::send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
    ::shutdown(client.get(), SHUT_WR);
    std::string rest;
    while (add_bytes(client.get(), rest)) {
    }
  }
}

}  // namespace server::test
