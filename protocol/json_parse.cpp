#include "protocol/json_parse.h"

#include <algorithm>
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
                   "The JSON is nested deeper than " + std::to_string(limits.depth) + " levels."};
    }
    return Error{bad_message,
                 "The JSON has more than " + std::to_string(limits.values) + " values."};
  }
  return {};
}

// Says where the text stops being JSON. `byte` is counted from 1, as the parser does.
std::string broken_at(std::string_view text, std::size_t byte) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) return "This is not JSON: it is empty.";
  if (byte > text.size()) {
    return "This is not JSON: it ends too early, after " + std::to_string(text.size()) + " bytes.";
  }
  const auto line = 1 + std::ranges::count(text.substr(0, byte - 1), '\n');
  return "This is not JSON: byte " + std::to_string(byte) + ", in line " + std::to_string(line) +
         ", is not what JSON has there.";
}

}  // namespace

Result<nlohmann::json> parse_text(std::string_view text, const Limits& limits) {
  if (const auto fits = check(text, limits); !fits) return fits.error();
  try {
    return Result<nlohmann::json>(boost::system::in_place_value, nlohmann::json::parse(text));
  } catch (const nlohmann::json::parse_error& broken) {
    return Error{bad_message, broken_at(text, broken.byte)};
  } catch (const nlohmann::json::exception&) {
    return Error{bad_message, "This is not JSON: a number in it is too large."};
  }
}

Result<nlohmann::json> parse_object(std::string_view text, const Limits& limits) {
  auto json = parse_text(text, limits);
  if (!json || json->is_object()) return json;
  return Error{bad_message, std::string("This is no JSON object but: ") + json->type_name() + "."};
}

}  // namespace protocol::json
