#pragma once

#include <string>

#include "protocol/transcript.h"

namespace server {

// How a live transcription stands, in at most `width` columns: what is sure as it is, what may
// change dim. Of a long text the end is shown, and of none that somebody listens.
std::string live_line_text(const protocol::LiveText& live, int width);

// The line at the bottom of the terminal on which the latest words appear and change; nothing where
// stderr is not a terminal.
class LiveLine {
 public:
  explicit LiveLine(bool enabled) : enabled_(enabled) {}
  ~LiveLine() { clear(); }
  LiveLine(const LiveLine&) = delete;

  bool enabled() const { return enabled_; }
  void update(const protocol::LiveText& live);
  // Takes the line off, before something else is printed.
  void clear();

 private:
  bool enabled_;
  bool shown_ = false;
};

}  // namespace server
