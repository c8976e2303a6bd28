#include "server/api/form_values.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace server {
namespace {

constexpr std::size_t max_items = 1000;  // of an array, as of keywords

}  // namespace

void throw_exception_from_error(const FormError& error, const boost::source_location&) {
  throw std::runtime_error(error.error.message);
}

FormError invalid(std::string parameter, std::string message, std::string fix) {
  return {{errc::usage, std::move(message), std::move(fix)}, std::move(parameter)};
}

FormError unsupported(std::string parameter, std::string message, std::string fix) {
  return {{errc::unsupported, std::move(message), std::move(fix)}, std::move(parameter)};
}

std::vector<std::string> items_of(const std::string& value) {
  if (!value.starts_with('[')) return {value};
  const auto json = nlohmann::json::parse(value, nullptr, false);
  if (!json.is_array() || json.size() > max_items) return {value};
  std::vector<std::string> items;
  for (const auto& item : json) {
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
  if (text != "true" && text != "false") {
    return invalid(parameter, fmt::format("The parameter {} must be true or false.", parameter));
  }
  value = text == "true";
  return {};
}

}  // namespace server
