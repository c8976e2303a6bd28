#include "server/options/set_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "server/options/option_values.h"
#include "server/options/text_limits.h"

namespace server {
namespace {

using nlohmann::json;
using protocol::Option;
using protocol::OptionField;
using protocol::TranscribeOptions;

Error must_be(std::string_view shown_as, std::string_view what) {
  return {errc::usage, fmt::format("The {} must be {}.", shown_as, what), ""};
}

template <class T>
json json_of(const Result<T>& read) {
  return read ? json(*read) : json();
}

// Returns the text as a value of the field's type; null if it is none.
json typed(std::string_view text, OptionField<bool>) {
  return json_of(parse_boolean(text));
}
template <std::integral T>
json typed(std::string_view text, OptionField<T>) {
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size() ? json(value) : json();
}
json typed(std::string_view text, OptionField<double>) {
  const auto value = parse_optional_number(text);
  return value && *value ? json(**value) : json();
}
json typed(std::string_view text, OptionField<std::vector<double>>) {
  return json_of(parse_numbers(text));
}
json typed(std::string_view text, OptionField<std::vector<std::string>>) {
  return parse_words(text);
}
template <class T>
json typed(std::string_view text, OptionField<std::optional<T>>) {
  return text == "none" || text == "None" ? json("none") : typed(text, OptionField<T>());
}
template <class T>
json typed(std::string_view text, OptionField<T>) {
  return text;  // a text, or the name of a choice
}

Result<json> language_code(const json& name) {
  if (name == "") return json("");
  const auto code = parse_language(name.get_ref<const std::string&>());
  if (!code) return code.error();
  return json(*code);
}

Result<json> language_codes(const json& names) {
  json codes = json::array();
  for (const json& name : names) {
    auto code = language_code(name);
    if (!code) return code.error();
    if (*code == "")
      return Error{errc::usage, "'auto' is no language to choose from.",
                   "Name only languages, or leave the option out."};
    codes.push_back(*std::move(code));
  }
  return codes;
}

// Checks the form only: which ids exist depends on the model, and its worker checks that.
Result<void> check_tokens(const std::string& ids, std::string_view shown_as) {
  const bool is_list = std::ranges::all_of(
      ids, [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == ','; });
  if (is_list) return {};
  Error error = must_be(shown_as, "ids with commas between them");
  error.fix = "-1 is the set of non-speech symbols: -1,50256.";
  return error;
}

bool holds_texts(const json& value) {
  return std::ranges::all_of(value, [](const json& item) { return item.is_string(); });
}

Result<void> check_sizes(const json& value, std::string_view shown_as) {
  if (const auto* text = value.get_ptr<const std::string*>()) {
    return check_bytes(shown_as, text->size(), max_text_bytes);
  }
  if (!value.is_array()) return {};
  return check_count(shown_as, value.size(), holds_texts(value) ? max_languages : max_clip_ends);
}

// Names of choices are in lower case.
bool is_choice(const Option& option) {
  return std::visit([]<class T>(OptionField<T>) { return std::is_enum_v<T>; }, option.member);
}

// Returns the value in its stored form where the option's rules go beyond its type.
Result<json> meant(const Option& option, std::string_view shown_as, json value) {
  if (value.is_string() && is_choice(option)) {
    return json(lower_case(value.get_ref<const std::string&>()));
  }
  if (value.is_string() && option.name == "language") return language_code(value);
  if (value.is_array() && option.name == "languages" && holds_texts(value)) {
    return language_codes(value);
  }
  if (value.is_array() && option.name == "clip_timestamps") {
    if (value == json{0}) return json::array();
    if (!std::ranges::is_sorted(value)) return must_be(shown_as, "seconds that rise from 0");
  }
  if (value.is_string() && option.name == "suppress_tokens") {
    const auto fine = check_tokens(value.get_ref<const std::string&>(), shown_as);
    if (!fine) return fine.error();
  }
  return value;
}

}  // namespace

Result<void> set_option(const Option& option, std::string_view shown_as, std::string_view text,
                        TranscribeOptions& options) {
  json value = std::visit([&](auto member) { return typed(text, member); }, option.member);
  if (value.is_null()) return must_be(shown_as, protocol::allowed_values(option));
  return set_option_json(option, shown_as, std::move(value), options);
}

Result<void> set_option_json(const Option& option, std::string_view shown_as, json value,
                             TranscribeOptions& options) {
  if (const auto fine = check_sizes(value, shown_as); !fine) return fine.error();
  if (option.may_be_unset() && value == "none") value = nullptr;
  auto found = meant(option, shown_as, std::move(value));
  if (!found) return found.error();
  if (protocol::set_option_value(option, *found, options)) return {};
  return must_be(shown_as, protocol::allowed_values(option));
}

}  // namespace server
