#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

#include "platform/unique_fd.h"

namespace server {

namespace asio = boost::asio;

// Passes the stderr of a child on to ours as it comes, and keeps its end, because the reason of a
// death is mostly the last thing that a library printed. Lives on one thread.
class StderrTail {
 public:
  static constexpr std::size_t kept_bytes = 16 * 1024;

  // `pipe` is the read end. Reading goes on until the child closes its end, or this object is
  // destroyed.
  StderrTail(asio::any_io_executor executor, platform::UniqueFd pipe);
  StderrTail(StderrTail&&) noexcept = default;
  StderrTail& operator=(StderrTail&&) = delete;
  ~StderrTail();

  // Returns the end of what was written until now.
  std::string text();

 private:
  struct Stream;

  std::shared_ptr<Stream> stream_;  // shared with the coroutine that reads
};

}  // namespace server
