#include "server/options/line_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "server/options/option_values.h"

namespace server {
namespace {

std::optional<int>& limit_of(std::string_view name, protocol::WriterOptions& options) {
  if (name == "max_line_width") return options.max_line_width;
  return name == "max_line_count" ? options.max_line_count : options.max_words_per_line;
}

}  // namespace

bool is_line_option(std::string_view name) {
  return std::ranges::find(line_options, name, &LineOption::name) != line_options.end();
}

Result<void> set_line_option(const std::string& place, std::string_view name,
                             const std::string& text, protocol::WriterOptions& options) {
  if (name == "highlight_words") {
    const auto value = parse_boolean(text);
    if (!value) {
      return Error{errc::usage, fmt::format("The {}{} must be true or false.", place, name), ""};
    }
    options.highlight_words = *value;
    return {};
  }
  int value = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, failed] = std::from_chars(text.data(), text_end, value);
  if (failed != std::errc() || end != text_end || value < 1 || value > most_of_line_option) {
    return Error{errc::usage,
                 fmt::format("The {}{} must be a whole number from 1 to {}.", place, name,
                             most_of_line_option),
                 ""};
  }
  limit_of(name, options) = value;
  return {};
}

nlohmann::ordered_json line_option_schema(const LineOption& option) {
  nlohmann::ordered_json schema{{"type", option.is_flag ? "boolean" : "integer"},
                                {"description", option.help}};
  if (option.is_flag) {
    schema["default"] = false;
  } else {
    schema["minimum"] = 1;
    schema["maximum"] = most_of_line_option;
  }
  return schema;
}

bool has_line_option(const protocol::WriterOptions& options) {
  return options.max_line_width || options.max_line_count || options.max_words_per_line ||
         options.highlight_words;
}

}  // namespace server
