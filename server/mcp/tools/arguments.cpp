#include "server/mcp/tools/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "server/options/option_values.h"
#include "server/options/set_option.h"

namespace server {

using nlohmann::json;

void Arguments::fail(std::string message, std::string fix) {
  if (!problem_) problem_ = Error{errc::usage, std::move(message), std::move(fix)};
}

const json* Arguments::find(const char* name) {
  known_.insert(name);
  const auto it = given_.find(name);
  return it == given_.end() || it->is_null() ? nullptr : &*it;
}

std::string Arguments::text(const char* name, std::size_t most_bytes) {
  const json* value = find(name);
  if (!value) return "";
  const auto* text = value->get_ptr<const std::string*>();
  if (!text) {
    fail(fmt::format("The argument {} must be a string.", name));
    return "";
  }
  const auto fits = check_bytes(fmt::format("argument {}", name), text->size(), most_bytes);
  if (fits) return *text;
  fail(fits.error().message, fits.error().fix);
  return "";
}

std::vector<std::string> Arguments::texts(const char* name, std::size_t most) {
  const json* value = find(name);
  if (!value) return {};
  const auto is_short_text = [](const json& item) {
    const auto* text = item.get_ptr<const std::string*>();
    return text && text->size() <= max_name_bytes;
  };
  const bool fits =
      value->is_array() && value->size() <= most && std::ranges::all_of(*value, is_short_text);
  if (fits) return value->get<std::vector<std::string>>();
  fail(
      fmt::format("The argument {} must be a list of at most {} strings, each of at most {} bytes.",
                  name, most, max_name_bytes));
  return {};
}

std::map<std::string, std::string> Arguments::required_texts_by_name(const char* name) {
  const json* value = find(name);
  const auto is_text = [](const json& item) { return item.is_string() || item.is_null(); };
  const bool is_right = value && value->is_object() && !value->empty() &&
                        std::all_of(value->begin(), value->end(), is_text);
  if (!is_right) {
    fail(fmt::format("The argument {} must be an object whose values are strings.", name));
    return {};
  }
  std::map<std::string, std::string> texts;
  for (const auto& [key, item] : value->items()) {
    texts[key] = item.is_null() ? "" : item.get<std::string>();
  }
  return texts;
}

std::map<std::string, std::string> Arguments::texts_by_name(const char* name, std::size_t most) {
  const json* value = find(name);
  if (!value) return {};
  const auto is_text = [](const json& item) { return item.is_string(); };
  const bool fits = value->is_object() && value->size() <= most &&
                    std::all_of(value->begin(), value->end(), is_text);
  if (fits) return value->get<std::map<std::string, std::string>>();
  fail(fmt::format("The argument {} must be an object of at most {} strings.", name, most));
  return {};
}

std::string Arguments::required_text(const char* name) {
  auto value = text(name);
  if (value.empty()) fail(fmt::format("The argument {} is needed.", name));
  return value;
}

std::string Arguments::choice(const char* name, std::span<const std::string_view> of,
                              std::string_view otherwise) {
  const std::string value = lower_case(text(name));
  if (value.empty()) return std::string(otherwise);
  if (std::ranges::find(of, value) == of.end()) {
    fail(fmt::format("The argument {} must be one of: {}.", name, fmt::join(of, ", ")));
  }
  return value;
}

double Arguments::number(const char* name, double minimum, double maximum, double otherwise) {
  const json* value = find(name);
  if (!value) return otherwise;
  const double number = value->is_number() ? value->get<double>() : std::nan("");
  if (number >= minimum && number <= maximum) return number;
  fail(fmt::format("The argument {} must be a number from {} to {}.", name, minimum, maximum));
  return otherwise;
}

int Arguments::integer(const char* name, int minimum, int maximum, int otherwise) {
  const double value = number(name, minimum, maximum, otherwise);
  if (value != std::floor(value)) fail(fmt::format("The argument {} must be whole.", name));
  return static_cast<int>(value);
}

bool Arguments::flag(const char* name) {
  const json* value = find(name);
  if (!value) return false;
  if (!value->is_boolean()) fail(fmt::format("The argument {} must be true or false.", name));
  return value->is_boolean() && value->get<bool>();
}

void Arguments::option(const protocol::Option& option, protocol::TranscribeOptions& options) {
  const std::string name(option.client_name());
  const json* value = find(name.c_str());
  if (!value) return;
  const auto set = set_option_json(option, "argument " + name, *value, options);
  if (!set) fail(set.error().message, set.error().fix);
}

Result<void> Arguments::check() const {
  // A name that is not quite right comes first, because it explains what is said to be missing.
  for (const auto& [key, value] : given_.items()) {
    if (known_.contains(key)) continue;
    const std::string known = known_.empty()
                                  ? "This tool takes none."
                                  : fmt::format("Known are: {}.", fmt::join(known_, ", "));
    return Error{errc::usage, fmt::format("There is no argument {}.", key), known};
  }
  if (problem_) return *problem_;
  return {};
}

}  // namespace server
