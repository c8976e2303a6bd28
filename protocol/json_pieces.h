#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace protocol::json {

// How JSON is written as text.
struct TextStyle {
  std::string (*write)(const nlohmann::ordered_json& value);
  std::string_view comma;
  std::string_view colon;
};
extern const TextStyle compact_style;  // as dump() writes
extern const TextStyle python_style;   // as python_json() writes

// The text of an object whose long lists are written item by item: a list of a whole recording is
// never all in memory as JSON, where it takes many times its text.
class ObjectText {
 public:
  explicit ObjectText(const TextStyle& style) : style_(style) {}

  void add(std::string_view key, const nlohmann::ordered_json& value) {
    begin(key);
    text_ += style_.write(value);
  }

  void begin_list(std::string_view key) {
    begin(key);
    text_ += '[';
    is_first_item_ = true;
  }
  void add_item(const nlohmann::ordered_json& item) {
    if (!std::exchange(is_first_item_, false)) text_ += style_.comma;
    text_ += style_.write(item);
  }
  void end_list() { text_ += ']'; }

  // Returns how many bytes the text has so far.
  std::size_t size() const { return text_.size(); }
  std::string take() { return std::move(text_) + (is_empty_ ? "{}" : "}"); }

 private:
  void begin(std::string_view key) {
    text_ += std::exchange(is_empty_, false) ? std::string_view("{") : style_.comma;
    text_ += style_.write(key);
    text_ += style_.colon;
  }

  const TextStyle& style_;
  std::string text_{};
  bool is_empty_ = true;
  bool is_first_item_ = true;
};

}  // namespace protocol::json
