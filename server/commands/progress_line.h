#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "protocol/worker_messages.h"

namespace server {

// "transcribing 4:10 of 36:00, 8.4x real time, 3:48 left". `busy` is how long the transcription has
// run, without the time in which the sound was only taken in; parts that are not known are left
// out.
std::string progress_text(const protocol::worker::Progress& progress,
                          std::chrono::duration<double> busy);

// One line at the bottom of the terminal that is redrawn in place; nothing where stderr is not a
// terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool enabled) : enabled_(enabled) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;

  // A new input: `subject` comes first on its line.
  void start(std::string subject);
  void update(const protocol::worker::Progress& progress);

  // Takes the line off, before something else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool shown_ = false;
  std::string subject_;
  std::optional<Clock::time_point> busy_since_{};
  std::optional<Clock::time_point> drawn_{};
};

}  // namespace server
