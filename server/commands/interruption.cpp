#include "server/commands/interruption.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace server {

ExitCode exit_code_of_signal(int signal) {
  switch (signal) {
    case SIGINT:
      return ExitCode::interrupted;
    case SIGHUP:
      return ExitCode::hangup;
    default:
      return ExitCode::terminated;
  }
}

bool Interruption::has_come() {
  signalfd_siginfo info{};
  if (signal_ == 0 && ::read(signals_.fd(), &info, sizeof info) == sizeof info) {
    signal_ = static_cast<int>(info.ssi_signo);
  }
  return signal_ != 0;
}

}  // namespace server
