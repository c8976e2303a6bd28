#include "server/commands/models_progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "server/commands/command.h"
#include "server/commands/progress_bar.h"

namespace server {
namespace {

const char* verb(PullProgress::Phase phase) {
  switch (phase) {
    case PullProgress::Phase::downloading:
      return "fetching";
    case PullProgress::Phase::unpacking:
      return "unpacking";
    case PullProgress::Phase::verifying:
      return "checking";
    case PullProgress::Phase::copying:
      return "copying";
  }
  return "";
}

std::string clock_time(double seconds) {
  const int whole = static_cast<int>(seconds + 0.5);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::string readable_size(std::uint64_t bytes) {
  if (bytes >= 1'000'000'000) return fmt::format("{:.2f} GB", static_cast<double>(bytes) / 1e9);
  if (bytes >= 1'000'000) return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
  return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
}

ModelsProgress::ModelsProgress() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ModelsProgress::~ModelsProgress() {
  clear();
}

Observer ModelsProgress::observer() {
  Observer observer;
  observer.progress = [this](const PullProgress& progress) { show(progress); };
  observer.note = [this](const std::string& text) {
    clear();
    fmt::print(stderr, "scribed: {}\n", shown_on_stderr(text));
  };
  return observer;
}

void ModelsProgress::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

void ModelsProgress::show(const PullProgress& progress) {
  if (!terminal_) return;
  const auto now = Clock::now();
  const std::string item = std::string(verb(progress.phase)) + " " + shown_on_stderr(progress.item);
  if (item != item_) {
    item_ = item;
    began_ = now;
    began_bytes_ = progress.done_bytes;
  }
  const bool complete = progress.total_bytes && progress.done_bytes >= *progress.total_bytes;
  if (drawn_ && !complete && now - last_draw_ < std::chrono::milliseconds(100)) return;
  last_draw_ = now;
  const double seconds = std::chrono::duration<double>(now - began_).count();
  const double fetched = static_cast<double>(progress.done_bytes - began_bytes_);
  const double rate = seconds > 0.2 ? fetched / seconds : 0;
  std::string line = item_ + " ";
  if (progress.total_bytes && *progress.total_bytes > 0) {
    const double total = static_cast<double>(*progress.total_bytes);
    const double part = std::min(1.0, static_cast<double>(progress.done_bytes) / total);
    line += fmt::format("{} {:3.0f}% of {}", progress_bar(part, 24), part * 100,
                        readable_size(*progress.total_bytes));
    if (rate > 0) line += ", " + clock_time((1 - part) * total / rate) + " left";
  } else {
    line += readable_size(progress.done_bytes);
  }
  if (rate > 0) line += ", " + readable_size(static_cast<std::uint64_t>(rate)) + "/s";
  fmt::print(stderr, "\r{}\033[K", line);
  drawn_ = true;
}

}  // namespace server
