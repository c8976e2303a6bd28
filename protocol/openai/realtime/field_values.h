#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/openai/realtime/refusal.h"

// These functions read the values of fields that clients send. `path` is the field's whole name,
// for the Refusal.
namespace protocol::openai::realtime {

using Problem = std::optional<Refusal>;

inline Refusal wrong(std::string path, std::string message) {
  return {invalid_value, std::move(message), std::move(path)};
}

// Returns the member of that name; nullptr: it is absent.
const nlohmann::json* find(const nlohmann::json& object, const char* name);

// Reads a text of at most so many bytes; null is the empty one.
Checked<std::string> read_text(const nlohmann::json& given, const std::string& path,
                               std::size_t most);
Checked<double> read_number(const nlohmann::json& given, const std::string& path, int least,
                            int most);
// Reads a whole number, which may be written as 500.0.
Checked<int> read_whole(const nlohmann::json& given, const std::string& path, int least, int most);

// Reads a list of at most so many values by `read(value, path)`; null is the empty one.
template <class Read>
Checked<std::vector<std::string>> read_list(const nlohmann::json& given, const std::string& path,
                                            std::size_t most, const Read& read) {
  if (given.is_null()) return std::vector<std::string>{};
  if (!given.is_array() || given.size() > most) {
    return wrong(path, "This must be a list of at most " + std::to_string(most) + " texts.");
  }
  std::vector<std::string> values;
  for (const auto& one : given) {
    auto value = read(one, path + "[" + std::to_string(values.size()) + "]");
    if (!value) return value.error();
    values.push_back(*std::move(value));
  }
  return values;
}

// Puts a value that was read in its place.
template <class T>
Problem take(Checked<T> read, T& place) {
  if (!read) return read.error();
  place = *std::move(read);
  return {};
}

}  // namespace protocol::openai::realtime
