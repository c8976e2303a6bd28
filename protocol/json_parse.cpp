#include "protocol/json_parse.h"

#include <string>
#include <utility>

namespace protocol::json {
namespace {

// Counts the values and the depth of a JSON text. The parser reports afterwards whether it is JSON.
class Count {
 public:
  explicit Count(const Limits& limits) : limits_(limits) {}

  // Returns false if a limit is exceeded.
  bool take(char c) {
    if (in_string_) {
      take_in_string(c);
      return true;
    }
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return true;
    const bool closes = c == '}' || c == ']';
    if (c == ',' || (is_first_ && !closes)) ++values_;
    is_first_ = c == '{' || c == '[';
    if (is_first_) ++depth_;
    if (closes) --depth_;
    in_string_ = c == '"';
    return !too_deep() && values_ <= limits_.values;
  }

  bool too_deep() const { return depth_ > limits_.depth; }

 private:
  void take_in_string(char c) {
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (c == '\\') {
      is_escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
    }
  }

  const Limits& limits_;
  std::size_t values_ = 0;
  int depth_ = 0;
  bool is_first_ = true;  // at the beginning of the text, or after an opening bracket
  bool in_string_ = false;
  bool is_escaped_ = false;
};

Result<void> check(std::string_view text, const Limits& limits) {
  Count count(limits);
  for (const char c : text) {
    if (count.take(c)) continue;
    if (count.too_deep()) {
      return Error{bad_message,
                   "the JSON is nested deeper than " + std::to_string(limits.depth) + " levels"};
    }
    return Error{bad_message,
                 "the JSON has more than " + std::to_string(limits.values) + " values"};
  }
  return {};
}

// Returns the reason without the library's own tag; the rest may quote the text at any length.
std::string reason(std::string_view what) {
  if (const auto tag = what.find("] "); tag != what.npos) what.remove_prefix(tag + 2);
  return std::string(what.substr(0, 200));
}

}  // namespace

Result<nlohmann::json> parse_text(std::string_view text, const Limits& limits) {
  if (const auto fits = check(text, limits); !fits) return fits.error();
  try {
    return Result<nlohmann::json>(boost::system::in_place_value, nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception& broken) {
    return Error{bad_message, "not JSON: " + reason(broken.what())};
  }
}

Result<nlohmann::json> parse_object(std::string_view text, const Limits& limits) {
  auto json = parse_text(text, limits);
  if (!json || json->is_object()) return json;
  return Error{bad_message, std::string("expected a JSON object, got ") + json->type_name()};
}

}  // namespace protocol::json
