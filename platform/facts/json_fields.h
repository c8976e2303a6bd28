#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/error.h"
#include "platform/facts/native_facts.h"

// Writes and reads JSON by one list of fields: `describe(fields, value)` (native_facts_fields.h,
// facts_fields.h) names each field of a type once, and JsonWriter or JsonReader walks that list.
namespace platform {

template <class T, class U>
concept Like = std::same_as<std::remove_const_t<T>, U>;

template <class T>
concept Number = std::integral<T> && !std::same_as<T, bool>;

std::optional<ProbeOutcome> parse_outcome(std::string_view text);

// Returns `text` with every byte that is no UTF-8 replaced by U+FFFD, because libraries may print
// any bytes.
std::string printable(const std::string& text);

class JsonWriter {
 public:
  template <class T>
  void operator()(const char* key, const T& value) {
    json_[key] = write(value);
  }

  template <class T>
  static nlohmann::json write(const T& value) {
    JsonWriter writer;
    describe(writer, value);
    return std::move(writer.json_);
  }
  static nlohmann::json write(bool value) { return value; }
  static nlohmann::json write(const std::string& value) { return printable(value); }
  static nlohmann::json write(ProbeOutcome value) { return name(value); }
  static nlohmann::json write(ComputeCapability value) { return value.text(); }
  template <Number T>
  static nlohmann::json write(const T& value) {
    return value;
  }
  template <class T>
  static nlohmann::json write(const std::optional<T>& value) {
    return value ? write(*value) : nlohmann::json();
  }
  template <class T>
  static nlohmann::json write(const std::vector<T>& values) {
    auto list = nlohmann::json::array();
    for (const auto& value : values) list.push_back(write(value));
    return list;
  }

 private:
  nlohmann::json json_ = nlohmann::json::object();
};

// Reads values. A missing field keeps its default; a field of a wrong type is an error, and the
// first error is kept.
class JsonReader {
 public:
  template <class T>
  static Result<T> read(const nlohmann::json& json) {
    JsonReader reader;
    T value{};
    reader.take(json, value);
    if (reader.problem_) return Error{.message = *reader.problem_};
    return value;
  }

  template <class T>
  void operator()(const char* key, T& value) {
    const auto found = object_->find(key);
    if (found != object_->end()) within(std::string(".") + key, *found, value);
  }

 private:
  template <class T>
  void take(const nlohmann::json& json, T& value) {
    if (!expect(json.is_object(), "an object")) return;
    const auto* outer = std::exchange(object_, &json);
    describe(*this, value);
    object_ = outer;
  }
  void take(const nlohmann::json& json, bool& value);
  void take(const nlohmann::json& json, std::string& value);
  void take(const nlohmann::json& json, ProbeOutcome& value);
  void take(const nlohmann::json& json, ComputeCapability& value);
  template <Number T>
  void take(const nlohmann::json& json, T& value) {
    if (!expect(json.is_number_integer(), "a whole number")) return;
    // nlohmann keeps a number above the range of int64 as unsigned; it is out of range here, too.
    const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                : std::in_range<T>(json.get<std::int64_t>());
    if (expect(fits, "in range")) value = json.get<T>();
  }
  template <class T>
  void take(const nlohmann::json& json, std::optional<T>& value) {
    if (!json.is_null()) take(json, value.emplace());
  }
  template <class T>
  void take(const nlohmann::json& json, std::vector<T>& values) {
    if (!expect(json.is_array(), "a list")) return;
    for (std::size_t i = 0; i < json.size() && !problem_; ++i) {
      within("[" + std::to_string(i) + "]", json[i], values.emplace_back());
    }
  }

  template <class T>
  void within(const std::string& step, const nlohmann::json& json, T& value) {
    const auto length = path_.size();
    path_ += step;
    take(json, value);
    path_.resize(length);
  }
  bool expect(bool condition, const char* what);

  const nlohmann::json* object_ = nullptr;  // the object whose fields are read now
  std::string path_{};
  std::optional<std::string> problem_{};
};

}  // namespace platform
