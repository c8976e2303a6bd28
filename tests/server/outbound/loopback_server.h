#pragma once

#include <atomic>
#include <boost/asio/buffers_iterator.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace server::test {

// A web server on loopback, one connection after another, that answers with given bytes.
class LoopbackServer {
 public:
  // Returns the whole answer to the head and body of one request. Empty: the connection stays
  // silent until its client leaves.
  using Answer = std::function<std::string(const std::string& request)>;

  explicit LoopbackServer(Answer answer) : answer_(std::move(answer)) {
    thread_ = std::thread([this] { serve(); });
  }
  LoopbackServer(const LoopbackServer&) = delete;
  ~LoopbackServer() {
    ending_ = true;
    boost::asio::io_context io;
    boost::asio::ip::tcp::socket knock(io);
    boost::system::error_code ignored;
    knock.connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
  }

  std::string port() const { return std::to_string(acceptor_.local_endpoint().port()); }
  std::string url(const std::string& path) const { return "http://127.0.0.1:" + port() + path; }
  // Returns the requests. "TLS" stands for one that began as TLS; it gets no answer.
  std::vector<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  using Tcp = boost::asio::ip::tcp;

  void serve() {
    while (!ending_) {
      Tcp::socket socket = acceptor_.accept();
      if (!ending_) talk(socket);
    }
  }

  void talk(Tcp::socket& socket) {
    boost::system::error_code failure;
    unsigned char first = 0;
    socket.receive(boost::asio::buffer(&first, 1), Tcp::socket::message_peek, failure);
    if (first == 0x16) {  // a client that begins TLS would wait for us for long
      const std::lock_guard lock(mutex_);
      requests_.push_back("TLS");
      return;
    }
    boost::asio::streambuf buffer;
    boost::asio::read_until(socket, buffer, "\r\n\r\n", failure);
    if (failure) return;
    std::string request(boost::asio::buffers_begin(buffer.data()),
                        boost::asio::buffers_end(buffer.data()));
    const auto length = request.find("Content-Length: ");
    if (length != std::string::npos) {
      const std::size_t whole =
          request.find("\r\n\r\n") + 4 + std::stoul(request.substr(length + 16));
      std::string rest(whole - std::min(whole, request.size()), ' ');
      boost::asio::read(socket, boost::asio::buffer(rest), failure);
      request += rest;
    }
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    const std::string answer = answer_(request);
    boost::asio::write(socket, boost::asio::buffer(answer), failure);
    char byte = 0;
    if (answer.empty()) socket.read_some(boost::asio::buffer(&byte, 1), failure);
  }

  Answer answer_;
  boost::asio::io_context io_{};
  Tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
  std::atomic<bool> ending_ = false;
  std::mutex mutex_{};
  std::vector<std::string> requests_{};
  std::thread thread_{};
};

inline std::string http_answer(const std::string& status, const std::string& body,
                               const std::string& header = "") {
  return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n" + header + "\r\n" + body;
}

}  // namespace server::test
