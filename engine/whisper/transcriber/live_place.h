#pragma once

#include <optional>
#include <stop_token>

#include "engine/whisper/runner/pass_queue.h"
#include "engine/whisper/runner/runner.h"

namespace engine {

// The place of one session in the queue of passes: each pass needs one. A session whose sound comes
// faster than it is spoken makes its passes without a place, since the device does them as it does
// short recordings. One thread uses it.
class LivePlace {
 public:
  // Both must outlive it.
  LivePlace(Runner& runner, const std::stop_token& stop) : runner_(&runner), stop_(&stop) {}

  // Waits for the place, where the session does not have it. A stop request ends that without one.
  void wait(bool ends_turn);
  // Does what wait() does, and returns for how many seconds the place was waited for.
  double enter(bool ends_turn);
  // The pass was made, or is not made.
  void leave();

 private:
  Runner* runner_;
  const std::stop_token* stop_;
  std::optional<PassQueue::Place> place_{};
  double waited_s_ = 0;
};

}  // namespace engine
