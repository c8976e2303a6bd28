#pragma once

#include <boost/asio/io_context.hpp>

#include "server/base/error.h"
#include "server/lifecycle/stop_signals.h"

namespace server {

// The exit code of a command that this signal ended.
ExitCode exit_code_of_signal(int signal);

// Ctrl-C, SIGTERM and SIGHUP for commands that block in calls which ask from time to time whether
// they are to stop. While it lives these signals do not end the process.
class Interruption {
 public:
  Interruption() : signals_(io_.get_executor()) {}

  // Whether a signal has come.
  bool has_come();
  // The exit code for it.
  ExitCode exit_code() const { return exit_code_of_signal(signal_); }
  // A descriptor that is readable once one has come, until has_come() is asked.
  int fd() { return signals_.fd(); }

 private:
  boost::asio::io_context io_{1};
  StopSignals signals_;
  int signal_ = 0;  // 0: none has come
};

}  // namespace server
