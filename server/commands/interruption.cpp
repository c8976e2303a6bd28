#include "server/commands/interruption.h"

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
  if (signal_ == 0) signal_ = signals_.take();
  return signal_ != 0;
}

}  // namespace server
