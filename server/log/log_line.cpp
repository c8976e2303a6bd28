#include "server/log/log_line.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include "server/log/escaped_text.h"

namespace server {
namespace {

constexpr std::size_t max_message_bytes = 8 * 1024;
constexpr std::size_t max_value_bytes = 2 * 1024;

constexpr std::array spoken{"text", "prompt", "segment", "transcript", "words"};

const char* name(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      break;
  }
  return "error";
}

// Appends one more "key=value" or "key":value.
void append(std::string& line, LogForm form, std::string_view key, const std::string& value) {
  if (form == LogForm::json) {
    fmt::format_to(std::back_inserter(line), "{}\"{}\":{}", line.empty() ? "{" : ",", key, value);
  } else {
    fmt::format_to(std::back_inserter(line), "{}{}={}", line.empty() ? "" : " ", key, value);
  }
}

std::string text_value(LogForm form, std::string_view text, std::size_t max_bytes) {
  if (form == LogForm::logfmt && !needs_quotes(text) && text.size() <= max_bytes) {
    return std::string(text);
  }
  return fmt::format("\"{}\"", escaped_text(text, max_bytes));
}

}  // namespace

bool is_spoken_text(std::string_view key) {
  return std::ranges::find(spoken, key) != spoken.end();
}

std::string utc_time(double seconds) {
  const double whole = std::floor(seconds);
  const auto milliseconds = static_cast<int>((seconds - whole) * 1000);
  const std::tm parts = fmt::gmtime(static_cast<std::time_t>(whole));
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", parts, milliseconds);
}

std::string log_line(LogForm form, std::string_view time, LogLevel level, std::string_view message,
                     LogFields fields, bool spoken_text) {
  const bool is_json = form == LogForm::json;
  std::string line;
  if (!time.empty()) append(line, form, "time", text_value(form, time, max_value_bytes));
  append(line, form, "level", text_value(form, name(level), max_value_bytes));
  append(line, form, is_json ? "message" : "msg", text_value(form, message, max_message_bytes));
  for (const LogField& field : fields) {
    if (!spoken_text && is_spoken_text(field.key)) continue;
    append(line, form, field.key,
           field.is_text ? text_value(form, field.value, max_value_bytes) : field.value);
  }
  return is_json ? line + "}" : line;
}

}  // namespace server
