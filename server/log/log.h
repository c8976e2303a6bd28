#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "server/base/environment.h"

namespace spdlog {
class async_logger;
namespace details {
class thread_pool;
}
}  // namespace spdlog

namespace server {

enum class LogLevel { debug, info, warning, error };
enum class LogForm { logfmt, json };

// One "key=value" of a line. Keys are chosen by us: small letters and underscores, with the unit at
// the end (seconds, bytes). Values may come from anybody, so they are escaped.
struct LogField {
  LogField(std::string_view key, std::string_view text) : key(key), value(text), is_text(true) {}
  LogField(std::string_view key, const char* text) : LogField(key, std::string_view(text)) {}
  LogField(std::string_view key, const std::string& text) : LogField(key, std::string_view(text)) {}
  LogField(std::string_view key, bool truth) : key(key), value(truth ? "true" : "false") {}
  LogField(std::string_view key, double number);
  template <std::integral T>
  requires(!std::same_as<T, bool>) LogField(std::string_view key, T number)
      : key(key), value(std::to_string(number)) {}

  std::string_view key;
  std::string value;
  bool is_text = false;  // `value` is escaped, and quoted if it has to be
};

using LogFields = std::initializer_list<LogField>;

// Logs lines for people and programs, one an event, from any thread. A thread of its own writes
// them, so that a slow reader holds up nobody: lines that the reader does not take within a second
// are lost.
class Log {
 public:
  struct Settings {
    LogLevel level = LogLevel::info;
    LogForm form = LogForm::logfmt;
    // systemd's journal reads the lines: it adds the time, and takes levels as "<6>".
    bool is_journal = false;
    bool spoken_text = false;  // also log fields with what was said
    int fd = 2;
    double (*now)() = nullptr;  // seconds since 1970; nullptr: the system's clock
  };

  explicit Log(Settings settings);
  ~Log();  // Ends after everything logged is written, or its reader was waited for in vain.
  Log(const Log&) = delete;

  // Sets the level from which lines are written; it may be called on any thread.
  void set_level(LogLevel level) { level_ = level; }

  void debug(std::string_view message, LogFields fields = {});
  void info(std::string_view message, LogFields fields = {});
  void warning(std::string_view message, LogFields fields = {});
  void error(std::string_view message, LogFields fields = {});

 private:
  void write(LogLevel level, std::string_view message, LogFields fields);

  Settings settings_;
  std::atomic<LogLevel> level_;
  std::shared_ptr<spdlog::details::thread_pool> writer_;
  std::shared_ptr<spdlog::async_logger> logger_;
};

// Returns whether `fd` is the stream that $JOURNAL_STREAM names, so that systemd's journal reads
// it.
bool is_journal_stream(const Environment& environment, int fd);

}  // namespace server
