#include "server/api/ignored_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace server {
namespace {

constexpr std::size_t most_named = 32;
constexpr std::size_t most_name_bytes = 40;

// A name may have any bytes; a quotation mark or a backslash would end the quoted text.
std::string shown_name(const std::string& field) {
  std::string name = field.substr(0, most_name_bytes);
  const auto is_unfit = [](char c) { return c < 0x20 || c > 0x7e || c == '"' || c == '\\'; };
  std::ranges::replace_if(name, is_unfit, '?');
  return name;
}

std::string shown_names(const std::vector<std::string>& fields) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(fields.size(), most_named); ++i) {
    names.push_back(shown_name(fields[i]));
  }
  if (fields.size() > most_named) {
    names.push_back(fmt::format("and {} more", fields.size() - most_named));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string ignored_fields_warning(const std::vector<std::string>& fields) {
  return fmt::format("299 scribed \"Ignored, since they have no effect here: {}\"",
                     shown_names(fields));
}

std::string unusable_values_warning(const std::vector<std::string>& fields) {
  return fmt::format(
      "299 scribed \"The default was used, since the value is none of those it takes: {}\"",
      shown_names(fields));
}

std::string left_out_warning(const std::string& response_format,
                             const std::vector<std::string>& parameters) {
  return fmt::format("299 scribed \"Ignored, since response_format={} cannot show it: {}\"",
                     response_format, shown_names(parameters));
}

std::string without_model_warning(std::string_view model,
                                  const std::vector<std::string>& parameters) {
  return fmt::format("299 scribed \"Ignored, since the model {} is not installed: {}\"", model,
                     shown_names(parameters));
}

}  // namespace server
