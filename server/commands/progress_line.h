#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "server/transcription/progress.h"

namespace server {

// Returns "talk.mp3: [####------]  43.2% 4:10 of 9:40, 8.4x, 0:40 left" within `width` columns:
// if there is little room the bar is shorter, the less important figures are left out, and only
// the end of `subject` stays. Without a percentage it is progress_text().
std::string progress_line_text(const std::string& subject, const TranscriptionProgress& progress,
                               int width);

// One line at the bottom of the terminal that is redrawn in place. It prints nothing if stderr
// is not a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool enabled) : enabled_(enabled) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;

  // Begins a new input: `subject` comes first on its line.
  void start(std::string subject);
  void update(const TranscriptionProgress& progress);

  // Removes the line before something else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool shown_ = false;
  std::string subject_;
  TranscriptionPhase phase_ = TranscriptionPhase::queued;  // the phase that was drawn last
  std::optional<Clock::time_point> drawn_{};
};

}  // namespace server
