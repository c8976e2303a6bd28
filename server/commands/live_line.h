#pragma once

#include <string>

#include "protocol/transcript.h"

namespace server {

// Returns the state of a live transcription in at most `width` columns: the decided text as it is,
// the text that may change dim. A long text shows its end; without a text the line says that
// somebody listens.
std::string live_line_text(const protocol::LiveText& live, int width);

// The line at the bottom of the terminal on which the latest words appear and change. It prints
// nothing if stderr is not a terminal.
class LiveLine {
 public:
  explicit LiveLine(bool enabled) : enabled_(enabled) {}
  ~LiveLine() { clear(); }
  LiveLine(const LiveLine&) = delete;

  bool enabled() const { return enabled_; }
  void update(const protocol::LiveText& live);
  // Removes the line before something else is printed.
  void clear();

 private:
  bool enabled_;
  bool shown_ = false;
};

}  // namespace server
