#include <algorithm>
#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include "protocol/option_table.h"

namespace protocol {
namespace {

// Writes a number without an exponent, and with a point only if one is needed.
std::string plain(double value) {
  return value == std::trunc(value) ? std::to_string(static_cast<std::int64_t>(value))
                                    : nlohmann::json(value).dump();
}

std::string range(const Option& option, std::string what) {
  if (std::isfinite(option.min)) what += " from " + plain(option.min);
  if (std::isfinite(option.max)) what += " to " + plain(option.max);
  return what;
}

// One overload for each type of a field.
std::string allowed(const Option&, bool) {
  return "true or false";
}
std::string allowed(const Option&, const std::string&) {
  return "a text";
}
std::string allowed(const Option&, const std::vector<std::string>&) {
  return "a list of texts";
}
std::string allowed(const Option&, const std::vector<KnownSpeaker>&) {
  return "a list of speakers, each with a name and a clip";
}
template <json::Named T>
std::string allowed(const Option&, T) {
  return json::one_of_names<T>();
}
std::string allowed(const Option& option, std::integral auto) {
  return range(option, "a whole number");
}
std::string allowed(const Option& option, double) {
  return range(option, "a number");
}
std::string allowed(const Option& option, const std::vector<double>&) {
  return range(option, "a list of numbers");
}
template <class T>
std::string allowed(const Option& option, const std::optional<T>&) {
  return allowed(option, T()) + ", or none";
}

// Returns false also for NaN.
bool is_within(const Option& option, double value) {
  return value >= option.min && value <= option.max;
}
template <class T>
bool fits(const Option& option, const T& value) {
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    return is_within(option, static_cast<double>(value));
  } else {
    return true;
  }
}
template <class T>
bool fits(const Option& option, const std::optional<T>& value) {
  return !value || fits(option, *value);
}
bool fits(const Option& option, const std::vector<double>& values) {
  return std::ranges::all_of(values, [&](double value) { return is_within(option, value); });
}

}  // namespace

std::string allowed_values(const Option& option) {
  static const TranscribeOptions any;
  return std::visit([&](auto member) { return allowed(option, any.*member); }, option.member);
}

std::string option_problem(const TranscribeOptions& options) {
  for (const Option& option : option_table()) {
    const bool fine =
        std::visit([&](auto member) { return fits(option, options.*member); }, option.member);
    if (!fine) return std::string(option.name) + " must be " + allowed_values(option);
  }
  return "";
}

nlohmann::ordered_json option_value(const Option& option, const TranscribeOptions& options) {
  return std::visit([&](auto member) { return json::write(options.*member); }, option.member);
}

bool set_option_value(const Option& option, const nlohmann::json& value,
                      TranscribeOptions& options) {
  const auto set = [&](auto member) {
    auto read = options.*member;
    json::Reader reader;
    reader.read(value, "", read);
    if (reader.failed() || !fits(option, read)) return false;
    options.*member = std::move(read);
    return true;
  };
  return std::visit(set, option.member);
}

nlohmann::ordered_json fields_of(const TranscribeOptions& options) {
  auto object = nlohmann::ordered_json::object();
  for (const Option& option : option_table()) object[option.name] = option_value(option, options);
  return object;
}

void read_fields(json::Reader& reader, const nlohmann::json& json, const std::string& path,
                 TranscribeOptions& options) {
  for (const Option& option : option_table()) {
    const auto read = [&](auto member) {
      reader.read_field(json, path, option.name, options.*member);
    };
    std::visit(read, option.member);
  }
}

}  // namespace protocol
