#include "server/commands/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

#include "server/commands/columns.h"
#include "server/commands/progress_bar.h"
#include "server/commands/terminal_width.h"
#include "server/transcription/clock_text.h"

namespace server {
namespace {

constexpr std::chrono::milliseconds redraw_interval{100};

// The part of a line besides percentage and time left.
struct Detail {
  int bar = 0;  // columns; 0: none
  bool clock = false;
  bool speed = false;
  bool unit = false;  // whether the speed says what it counts
};
// The forms from the most to the least detailed; the first that has room is taken.
constexpr std::array details{Detail{24, true, true, true}, Detail{10, true, true, false},
                             Detail{10, false, true, false}, Detail{0, false, true, false},
                             Detail{}};

std::string figures_text(const TranscriptionProgress& progress, const Detail& detail) {
  std::string text;
  if (detail.bar > 0) text += progress_bar(*progress.percent / 100, detail.bar) + " ";
  text += fmt::format("{:5.1f}%", *progress.percent);
  if (detail.clock) {
    text += fmt::format(" {} of {}", clock_text(progress.position), clock_text(progress.duration));
  }
  if (detail.speed && progress.speed) {
    text += ", " + speed_text(*progress.speed) + (detail.unit ? " real time" : "");
  }
  if (progress.left_s) text += ", " + clock_text(*progress.left_s) + " left";
  return text;
}

// Returns the end of `subject` in that many columns; the end tells files apart.
std::string last_columns(const std::string& subject, int width) {
  constexpr const char* ellipsis = "…";
  int surplus = columns(subject) - width;
  if (surplus <= 0) return subject;
  if (width <= columns(ellipsis)) return "";
  surplus += columns(ellipsis);
  return fmt::format("{}{}", ellipsis, without_columns(subject, surplus));
}

}  // namespace

std::string progress_line_text(const std::string& subject, const TranscriptionProgress& progress,
                               int width) {
  const bool is_counted =
      progress.phase == TranscriptionPhase::transcribing && progress.percent.has_value();
  std::string text = is_counted ? "" : progress_text(progress);
  for (std::size_t i = 0; is_counted && i < details.size(); ++i) {
    text = figures_text(progress, details[i]);
    if (columns(subject) + columns(text) <= width) break;
  }
  const std::string line = last_columns(subject, width - columns(text)) + text;
  return std::string(first_columns(line, width));
}

void ProgressLine::start(std::string subject) {
  clear();
  subject_ = std::move(subject);
}

void ProgressLine::update(const TranscriptionProgress& progress) {
  if (!enabled_) return;
  const auto now = Clock::now();
  const bool is_soon = drawn_ && now - *drawn_ < redraw_interval;
  if (is_soon && progress.phase == phase_) return;
  drawn_ = now;
  phase_ = progress.phase;
  const std::string text =
      progress_line_text(subject_, progress, terminal_width(STDERR_FILENO) - 1);
  fmt::print(stderr, "\r{}\x1b[K", text);
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
