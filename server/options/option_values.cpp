#include "server/options/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "protocol/languages.h"

namespace server {
namespace {

// This limit keeps a tiny increment from asking for millions of attempts.
constexpr std::size_t max_temperatures = 100;

Error usage(std::string message, std::string fix = "") {
  return {errc::usage, std::move(message), std::move(fix)};
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Result<double> parse_number(std::string_view text) {
  text = trim(text);
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    return usage(fmt::format("'{}' is not a number", text));
  }
  return value;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

Result<std::optional<double>> parse_optional_number(std::string_view text) {
  if (lower_case(trim(text)) == "none") return std::optional<double>{};
  const auto value = parse_number(text);
  if (!value) return value.error();
  return std::optional(*value);
}

Result<std::vector<double>> parse_numbers(std::string_view text) {
  std::vector<double> values;
  for (std::size_t start = 0; start <= text.size();) {
    const auto comma = std::min(text.find(',', start), text.size());
    const auto value = parse_number(text.substr(start, comma - start));
    if (!value) return value.error();
    values.push_back(*value);
    start = comma + 1;
  }
  return values;
}

Result<bool> parse_boolean(std::string_view text) {
  const std::string word = lower_case(trim(text));
  if (word == "true" || word == "yes" || word == "on" || word == "1") return true;
  if (word == "false" || word == "no" || word == "off" || word == "0") return false;
  return usage(fmt::format("'{}' is neither true nor false", text));
}

Result<std::string> parse_language(std::string_view text) {
  if (lower_case(text) == "auto") return {boost::system::in_place_value, ""};
  if (const auto code = protocol::language_code(text)) {
    return {boost::system::in_place_value, *code};
  }
  return usage(fmt::format("'{}' is not a language of Whisper", text),
               "Give a code such as 'de', a name such as 'German', or 'auto'.");
}

Result<std::string> parse_audio_track(std::string_view text) {
  constexpr int most_tracks = 1000;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) {
    if (number >= 1 && number <= most_tracks) return {boost::system::in_place_value, text};
    return usage(fmt::format("'{}' is not the number of an audio track", text),
                 fmt::format("Tracks are counted from 1 to {}.", most_tracks));
  }
  if (const auto code = protocol::language_code(text)) {
    return {boost::system::in_place_value, *code};
  }
  return usage(fmt::format("'{}' is neither the number nor the language of an audio track", text),
               "Give a number such as 2, or a language such as 'fr'.");
}

std::vector<std::string> parse_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t start = 0; start <= text.size();) {
    const auto comma = std::min(text.find(',', start), text.size());
    words.emplace_back(trim(text.substr(start, comma - start)));
    start = comma + 1;
  }
  return words;
}

Result<std::vector<std::string>> parse_labels(std::string_view text) {
  const auto comma = std::min(text.find(','), text.size());
  const std::string first(trim(text.substr(0, comma)));
  const std::string second(trim(text.substr(std::min(comma + 1, text.size()))));
  if (first.empty() || second.empty() || second.find(',') != second.npos) {
    return usage("labels are two words with a comma between them", "For instance Agent,Caller.");
  }
  return std::vector<std::string>{first, second};
}

Result<std::vector<double>> fallback_temperatures(const std::vector<double>& given,
                                                  std::optional<double> increment) {
  for (const double t : given) {
    if (t < 0 || t > 2) return usage(fmt::format("temperature {} is not between 0 and 2", t));
  }
  if (given.size() != 1 || !increment) return given;
  if (*increment <= 0) {
    return usage(fmt::format("a temperature increment of {} does not lead to 1", *increment),
                 "Give a number above 0, or 'none' for a single attempt.");
  }
  // Each temperature is made by multiplication, so that rounding errors do not add up over the
  // steps.
  std::vector<double> temperatures;
  for (std::size_t i = 0;; ++i) {
    const double t = given.front() + static_cast<double>(i) * *increment;
    if (t >= 1.0 + 1e-6 && i > 0) break;
    temperatures.push_back(t);
    if (temperatures.size() > max_temperatures) {
      return usage(fmt::format("a temperature increment of {} makes more than {} attempts",
                               *increment, max_temperatures));
    }
  }
  return temperatures;
}

}  // namespace server
