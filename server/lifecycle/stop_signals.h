#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <csignal>

namespace server {

// Lets a coroutine await Ctrl-C, SIGTERM and SIGHUP. The signals are blocked while this object
// lives, and arrive at a descriptor, which code that must wait elsewhere can poll too.
class StopSignals {
 public:
  explicit StopSignals(boost::asio::any_io_executor executor);
  StopSignals(const StopSignals&) = delete;
  ~StopSignals();

  // Waits for the next signal and returns its number.
  boost::asio::awaitable<int> next();

  int fd() { return descriptor_.native_handle(); }

 private:
  sigset_t previous_;
  boost::asio::posix::stream_descriptor descriptor_;
};

}  // namespace server
