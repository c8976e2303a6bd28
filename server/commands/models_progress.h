#pragma once

#include <chrono>
#include <string>

#include "server/models/observer.h"

namespace server {

// Shows one line of progress on stderr while a model is fetched or checked: name, size, speed, and
// the time left. It shows nothing if stderr is no terminal.
class ModelsProgress {
 public:
  ModelsProgress();
  ModelsProgress(const ModelsProgress&) = delete;
  ModelsProgress& operator=(const ModelsProgress&) = delete;
  ~ModelsProgress();

  // Returns the observer for the operation; it refers to this object. Notes go to stderr in any
  // case.
  Observer observer();

  // Removes the line before something else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void show(const PullProgress& progress);

  bool terminal_;
  bool drawn_ = false;
  Clock::time_point last_draw_{};
  // These three describe the current item: its name, when it began, and from which byte it was
  // resumed.
  std::string item_;
  Clock::time_point began_{};
  std::uint64_t began_bytes_ = 0;
};

// Returns "145.2 MB".
std::string readable_size(std::uint64_t bytes);

}  // namespace server
