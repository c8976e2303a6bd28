#include "server/commands/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "server/commands/columns.h"
#include "server/commands/terminal_width.h"
#include "server/transcription/clock_text.h"

namespace server {
namespace {

constexpr std::chrono::milliseconds redraw_interval{100};

// Speed and time left mean little before.
constexpr double settled_after_s = 1.0;

}  // namespace

std::string progress_text(const protocol::worker::Progress& progress,
                          std::chrono::duration<double> busy) {
  std::string text = progress.phase + " " + clock_text(progress.position_s);
  if (progress.duration_s > 0) text += " of " + clock_text(progress.duration_s);
  if (progress.phase != "transcribing" || progress.position_s <= 0) return text;
  if (busy.count() < settled_after_s) return text;
  const double speed = progress.position_s / busy.count();
  text += fmt::format(", {:.1f}x real time", speed);
  if (progress.duration_s > progress.position_s) {
    text +=
        fmt::format(", {} left", clock_text((progress.duration_s - progress.position_s) / speed));
  }
  return text;
}

void ProgressLine::start(std::string subject) {
  clear();
  subject_ = std::move(subject);
  busy_since_.reset();
  drawn_.reset();
}

void ProgressLine::update(const protocol::worker::Progress& progress) {
  if (!enabled_) return;
  const auto now = Clock::now();
  if (!busy_since_ && progress.phase == "transcribing") busy_since_ = now;
  if (drawn_ && now - *drawn_ < redraw_interval) return;
  drawn_ = now;
  const std::string text = subject_ + progress_text(progress, now - busy_since_.value_or(now));
  fmt::print(stderr, "\r{}\x1b[K", first_columns(text, terminal_width() - 1));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
  drawn_.reset();
}

}  // namespace server
