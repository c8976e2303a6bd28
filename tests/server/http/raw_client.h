#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/unique_fd.h"

namespace server::test {

// A client that sends and awaits raw bytes, which an HTTP library would not let a test do. Each
// wait ends after some seconds, which fails a test and never passes one.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port);
  explicit RawClient(const std::string& socket_file);

  // Returns false if the server has closed; reading tells why.
  bool send(std::string_view bytes);
  // Returns everything up to and including `end`, or what came before the server closed.
  std::string read_until(std::string_view end);
  // Returns one answer with a content-length: header and body.
  std::string read_answer();
  // Returns everything until the server closes. closed() returns whether it did.
  std::string read_all();
  bool closed() const { return closed_; }
  void close() { socket_.reset(); }
  void close_sending();
  // Receives some more bytes for the functions above. Returns false if the server has closed.
  bool receive();

 private:
  platform::UniqueFd socket_;
  std::string received_{};
  bool closed_ = false;
};

}  // namespace server::test
