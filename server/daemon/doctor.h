#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <string>

#include "server/base/blocking_calls.h"
#include "server/transcription/worker_setup.h"

namespace server {

// Says what `scribed doctor --json` says, of the machine that the daemon runs on. It asks drivers
// and starts programs, which takes up to some seconds, on a thread of its own; an answer is good
// for a while.
class Doctor {
 public:
  // `model` is what memory is judged for.
  Doctor(SetupSources sources, std::string model);

  // Errors: those of survey_machine(), and queue_full.
  asio::awaitable<Result<std::string>> report();

 private:
  Result<std::string> examine();

  SetupSources sources_;
  std::string model_;
  // The last answer. It is used on the thread alone.
  std::string answer_{};
  std::chrono::steady_clock::time_point examined_{};
  BlockingCalls thread_{1, 16};  // last: it ends before what its work uses
};

}  // namespace server
