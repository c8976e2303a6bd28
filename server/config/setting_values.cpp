#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <utility>

#include "protocol/json_text.h"
#include "server/config/settings_table.h"
#include "server/options/set_option.h"

namespace server {
namespace {

// One overload for each type of a setting.
template <class... Functions>
struct Cases : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Cases(Functions...) -> Cases<Functions...>;

Error not_allowed(const Setting& setting) {
  return {errc::bad_config, fmt::format("{} must be {}", setting.key, allowed_values(setting)), ""};
}

// TOML and JSON write texts alike.
std::string quoted(const std::string& text) {
  return protocol::json::dump(nlohmann::json(text));
}

// Writes a number without an exponent, and with a point only if one is needed.
std::string plain(double value) {
  return value == static_cast<double>(static_cast<std::int64_t>(value))
             ? std::to_string(static_cast<std::int64_t>(value))
             : fmt::format("{}", value);
}

bool is_allowed(const Setting& setting, double value) {
  return value >= setting.min && value <= setting.max;  // false for NaN
}

bool is_allowed(const Setting& setting, const std::string& value) {
  if (value.find('\0') != std::string::npos) return false;
  return setting.choices.empty() ||
         std::ranges::find(setting.choices, value) != setting.choices.end();
}

template <class Number>
std::optional<Number> number(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end) return std::nullopt;
  return value;
}

std::optional<bool> truth(const std::string& text) {
  if (text == "true" || text == "1" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "0" || text == "no" || text == "off") return false;
  return std::nullopt;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (const auto range : text | std::views::split(',')) {
    std::string part(range.begin(), range.end());
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

// Sets the value that was read; `value` is empty if the text is not of the setting's type.
template <class Value>
Result<void> set_read(const Setting& setting, Config& config, std::optional<Value> value) {
  if (!value) return not_allowed(setting);
  return set_value(setting, config, *std::move(value));
}

// Sets a decoding option; the table of decoding options says what it may be.
Result<void> set_decoding(const Setting& setting, Config& config, nlohmann::json value) {
  const auto set =
      set_option_json(*setting.option, "setting", std::move(value), config.transcription);
  return set ? Result<void>() : not_allowed(setting);
}

Result<void> set_decoding_text(const Setting& setting, Config& config, const std::string& text) {
  const auto set = set_option(*setting.option, "setting", text, config.transcription);
  return set ? Result<void>() : not_allowed(setting);
}

std::string decoding_text(const Setting& setting, const Config& config) {
  const auto value = protocol::option_value(*setting.option, config.transcription);
  return value.is_null() ? "\"none\"" : protocol::json::dump(value);
}

}  // namespace

std::string allowed_values(const Setting& setting) {
  Config any;
  const auto range = [&](const char* what) {
    return fmt::format("{} from {} to {}", what, plain(setting.min), plain(setting.max));
  };
  return std::visit(
      Cases{
          [](bool*) -> std::string { return "true or false"; },
          [&](std::int64_t*) { return range("a whole number"); },
          [&](double*) { return range("a number"); },
          [&](std::string*) -> std::string {
            if (setting.choices.empty()) return "a text";
            return fmt::format("one of {}", fmt::join(setting.choices, ", "));
          },
          [](std::vector<std::string>*) -> std::string { return "a list of texts"; },
          [&](protocol::TranscribeOptions*) { return protocol::allowed_values(*setting.option); }},
      setting.place(any));
}

std::string value_text(const Setting& setting, const Config& config) {
  Config copy = config;
  return std::visit(
      Cases{[](const bool* value) -> std::string { return *value ? "true" : "false"; },
            [](const std::int64_t* value) { return std::to_string(*value); },
            [](const double* value) { return plain(*value); },
            [&](const std::string* value) -> std::string {
              if (setting.is_secret) return value->empty() ? "(not set)" : "(set)";
              return quoted(*value);
            },
            [](const std::vector<std::string>* value) {
              return fmt::format("[{}]", fmt::join(*value | std::views::transform(quoted), ", "));
            },
            [&](const protocol::TranscribeOptions*) { return decoding_text(setting, config); }},
      setting.place(copy));
}

Result<void> set_value(const Setting& setting, Config& config, bool value) {
  if (setting.option != nullptr) return set_decoding(setting, config, value);
  const Place place = setting.place(config);
  bool* const* found = std::get_if<bool*>(&place);
  if (found == nullptr) return not_allowed(setting);
  **found = value;
  return {};
}

Result<void> set_value(const Setting& setting, Config& config, std::int64_t value) {
  if (setting.option != nullptr) return set_decoding(setting, config, value);
  const Place place = setting.place(config);
  if (std::holds_alternative<double*>(place)) {
    return set_value(setting, config, static_cast<double>(value));
  }
  std::int64_t* const* found = std::get_if<std::int64_t*>(&place);
  if (found == nullptr || !is_allowed(setting, static_cast<double>(value))) {
    return not_allowed(setting);
  }
  **found = value;
  return {};
}

Result<void> set_value(const Setting& setting, Config& config, double value) {
  if (setting.option != nullptr) return set_decoding(setting, config, value);
  const Place place = setting.place(config);
  double* const* found = std::get_if<double*>(&place);
  if (found == nullptr || !is_allowed(setting, value)) return not_allowed(setting);
  **found = value;
  return {};
}

Result<void> set_value(const Setting& setting, Config& config, std::string value) {
  if (setting.option != nullptr) return set_decoding(setting, config, value);
  const Place place = setting.place(config);
  std::string* const* found = std::get_if<std::string*>(&place);
  if (found == nullptr || !is_allowed(setting, value)) return not_allowed(setting);
  **found = std::move(value);
  return {};
}

Result<void> set_value(const Setting& setting, Config& config, std::vector<std::string> value) {
  if (setting.option != nullptr) return set_decoding(setting, config, value);
  const Place place = setting.place(config);
  std::vector<std::string>* const* found = std::get_if<std::vector<std::string>*>(&place);
  const auto passes = [&](const std::string& text) { return is_allowed(setting, text); };
  if (found == nullptr || !std::ranges::all_of(value, passes)) return not_allowed(setting);
  **found = std::move(value);
  return {};
}

Result<void> set_text(const Setting& setting, Config& config, const std::string& text) {
  return std::visit(
      Cases{[&](bool*) { return set_read(setting, config, truth(text)); },
            [&](std::int64_t*) { return set_read(setting, config, number<std::int64_t>(text)); },
            [&](double*) { return set_read(setting, config, number<double>(text)); },
            [&](std::string*) { return set_value(setting, config, text); },
            [&](std::vector<std::string>*) { return set_value(setting, config, parts_of(text)); },
            [&](protocol::TranscribeOptions*) { return set_decoding_text(setting, config, text); }},
      setting.place(config));
}

}  // namespace server
