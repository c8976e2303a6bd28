#include "server/api/form_values.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>
#include <utility>

#include "protocol/json_parse.h"
#include "server/options/option_values.h"
#include "server/options/text_limits.h"

namespace server {

void throw_exception_from_error(const FormError& error, const boost::source_location&) {
  throw std::runtime_error(error.error.message);
}

FormError invalid(std::string parameter, std::string message, std::string fix) {
  return {{errc::usage, std::move(message), std::move(fix)}, std::move(parameter)};
}

FormProblem read_text(const char* parameter, const std::string& value, std::string& text,
                      std::size_t most_bytes) {
  const auto fits = check_bytes(fmt::format("parameter {}", parameter), value.size(), most_bytes);
  if (!fits) return FormError{fits.error(), parameter};
  text = value;
  return {};
}

std::vector<std::string> items_of(const std::string& value) {
  if (!value.starts_with('[')) return {value};
  const auto json = protocol::json::parse_text(value, {.values = most_list_items});
  if (!json || !json->is_array()) return {value};
  std::vector<std::string> items;
  for (const auto& item : *json) {
    if (!item.is_string()) return {value};
    items.push_back(item.get<std::string>());
  }
  return items;
}

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

FormProblem read_flag(const char* parameter, const std::string& text, bool& value) {
  const auto read = parse_boolean(text);
  if (!read) {
    return invalid(parameter, fmt::format("The parameter {} must be true or false.", parameter));
  }
  value = *read;
  return {};
}

}  // namespace server
