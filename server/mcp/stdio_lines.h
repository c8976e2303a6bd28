#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "platform/unique_fd.h"
#include "platform/wake_fd.h"

namespace server {

// Reads and writes one message per line on two descriptors of any kind: pipes, files, terminals. It
// has threads of its own to wait for them, because a file cannot be polled and a pipe that others
// share must stay blocking.
class StdioLines {
 public:
  struct Limits {
    std::size_t line_bytes = 10 << 20;  // a longer line ends the input
    // of output; with more unread, the output counts as ended
    std::size_t unread_bytes = 256 << 20;
  };

  // Both functions are called on the executor. `on_end` is called once: the input has ended, or the
  // output's reader is gone.
  struct Events {
    std::function<void(std::string)> on_line;
    std::function<void()> on_end;
  };

  StdioLines(boost::asio::any_io_executor executor, platform::UniqueFd input,
             platform::UniqueFd output, Limits limits);
  // The destructor waits for a running write, a second at most; it does not wait for input.
  ~StdioLines();
  StdioLines(const StdioLines&) = delete;

  void start(Events events);

  // Adds the newline and never blocks. Lines are dropped once the output's reader is gone.
  void write(std::string line);

 private:
  void read_lines(std::stop_token stop);
  void write_lines(std::stop_token stop);
  // Returns false if it was stopped, or if the descriptor can never become ready.
  bool wait_for(int fd, short events, const std::stop_token& stop) const;
  bool write_all(const std::string& text, const std::stop_token& stop);
  void end();
  void give_up_output();

  boost::asio::any_io_executor executor_;
  platform::UniqueFd input_;
  platform::UniqueFd output_;
  platform::WakeFd wake_{};  // stops the threads
  Limits limits_;
  Events events_{};
  std::mutex mutex_;
  std::condition_variable_any queued_;
  std::deque<std::string> queue_;  // guarded by mutex_, as the following members
  std::size_t queue_bytes_ = 0;
  bool writing_ = false;
  bool has_ended_ = false;
  bool reader_is_gone_ = false;  // the output's reader
  std::jthread reader_;
  std::jthread writer_;
};

}  // namespace server
