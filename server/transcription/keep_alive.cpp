#include "server/transcription/keep_alive.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace server {
namespace {

constexpr double ten_years_ms = 10.0 * 365 * 24 * 3600 * 1000;

struct Unit {
  std::string_view name;
  double ms;
};
// "ms" comes before "m", with which it begins.
constexpr std::array units{Unit{"ms", 1}, Unit{"s", 1000}, Unit{"m", 60'000}, Unit{"h", 3'600'000}};

// Takes a number without a sign or an exponent off the front.
std::optional<double> take_number(std::string_view& text) {
  if (text.empty() || text.front() == '-') return std::nullopt;
  double number = 0;
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (failure != std::errc() || !std::isfinite(number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<double> take_unit(std::string_view& text) {
  for (const auto& unit : units) {
    if (!text.starts_with(unit.name)) continue;
    text.remove_prefix(unit.name.size());
    return unit.ms;
  }
  return std::nullopt;
}

std::optional<double> milliseconds_of(std::string_view text) {
  double sum = 0;
  bool is_first = true;
  do {
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    if (is_first && text.empty()) return *number * 1000;
    const auto unit = take_unit(text);
    if (!unit) return std::nullopt;
    sum += *number * *unit;
    is_first = false;
  } while (!text.empty());
  return sum;
}

}  // namespace

Result<KeepAlive> parse_keep_alive(std::string_view text) {
  const bool is_negative = text.starts_with("-");
  const auto ms = milliseconds_of(is_negative ? text.substr(1) : text);
  if (!ms) {
    return Error{errc::bad_request,
                 "\"" + std::string(text) + "\" is no time to keep a model loaded",
                 "Write a duration like 5m, 1h30m or 90s, a number of seconds, 0 to unload the "
                 "model at once, or -1 to keep it."};
  }
  if ((is_negative && *ms > 0) || *ms > ten_years_ms) return keep_for_ever;
  return KeepAlive(std::llround(*ms));
}

}  // namespace server
