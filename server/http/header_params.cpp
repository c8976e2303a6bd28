#include "server/http/header_params.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/trim.hpp>

namespace server {
namespace {

std::string trimmed_lower(std::string_view text) {
  return boost::to_lower_copy(boost::trim_copy_if(std::string(text), boost::is_any_of(" \t")));
}

void skip_spaces(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

// Takes a quoted text. `text` begins after the opening quote, and afterwards after the closing one.
std::optional<std::string> take_quoted(std::string_view& text) {
  std::string value;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] == '"') {
      text.remove_prefix(at + 1);
      return value;
    }
    if (text[at] == '\\' && (next == '"' || next == '\\')) ++at;
    value += text[at];
  }
  return std::nullopt;
}

std::string take_plain(std::string_view& text) {
  const auto end = std::min(text.find(';'), text.size());
  const auto value = boost::trim_right_copy(std::string(text.substr(0, end)));
  text.remove_prefix(end);
  return value;
}

// Takes one parameter. `text` begins with its ";".
bool take_param(std::string_view& text, HeaderParams& result) {
  text.remove_prefix(1);
  skip_spaces(text);
  if (text.empty()) return true;  // a ";" at the end
  const auto equals = text.find('=');
  if (equals == text.npos) return false;
  const auto name = trimmed_lower(text.substr(0, equals));
  if (name.empty() || name.find_first_of(" \t;\"") != name.npos || result.find(name)) return false;
  text.remove_prefix(equals + 1);
  skip_spaces(text);
  std::optional<std::string> value;
  if (text.starts_with('"')) {
    text.remove_prefix(1);
    value = take_quoted(text);
  } else {
    value = take_plain(text);
  }
  skip_spaces(text);
  if (!value || (!text.empty() && !text.starts_with(';'))) return false;
  result.params.emplace_back(name, *std::move(value));
  return true;
}

}  // namespace

const std::string* HeaderParams::find(std::string_view name) const {
  const auto found = std::ranges::find(
      params, name, [](const auto& param) { return std::string_view(param.first); });
  return found == params.end() ? nullptr : &found->second;
}

std::optional<HeaderParams> parse_header_params(std::string_view text) {
  const auto end = std::min(text.find(';'), text.size());
  HeaderParams result{.value = trimmed_lower(text.substr(0, end))};
  if (result.value.empty()) return std::nullopt;
  text.remove_prefix(end);
  while (!text.empty()) {
    if (!take_param(text, result)) return std::nullopt;
  }
  return result;
}

}  // namespace server
