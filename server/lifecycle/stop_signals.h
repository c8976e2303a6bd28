#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <csignal>

namespace server {

// Lets a coroutine await Ctrl-C, SIGTERM and SIGHUP. While this object lives the signals do nothing
// else, and arrive at a descriptor, which code that must wait elsewhere can poll too. There is one
// object of it at a time.
class StopSignals {
 public:
  static constexpr std::array waited_for{SIGINT, SIGTERM, SIGHUP};

#if defined(__APPLE__)
  using Previous = std::array<struct sigaction, waited_for.size()>;  // of those signals
#else
  using Previous = sigset_t;  // the signals that were blocked
#endif

  explicit StopSignals(boost::asio::any_io_executor executor);
  StopSignals(const StopSignals&) = delete;
  ~StopSignals();

  // Waits for the next signal and returns its number.
  boost::asio::awaitable<int> next();

  // Returns the number of a signal that has come, without waiting; 0: none has.
  int take();

  // A descriptor that is readable once a signal has come, until it is taken or awaited.
  int fd() {
    return descriptor_.native_handle();
  }

 private:
  Previous previous_;
  boost::asio::posix::stream_descriptor descriptor_;
};

}  // namespace server
