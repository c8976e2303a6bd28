#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/option_table.h"
#include "server/base/error.h"
#include "server/options/text_limits.h"

namespace server {

// Reads the arguments that a model gave to a tool. Errors are sentences by which the model can
// correct its call; check() returns the first one, unless an argument is unknown.
class Arguments {
 public:
  explicit Arguments(const nlohmann::json& given) : given_(given) {}

  // Returns "" if the argument is missing.
  std::string text(const char* name, std::size_t most_bytes = max_text_bytes);
  // Returns an empty list if the argument is missing; each text may be as long as a name.
  std::vector<std::string> texts(const char* name, std::size_t most);
  // Reads an object of texts, in which null stands for an empty one.
  std::map<std::string, std::string> required_texts_by_name(const char* name);
  // Returns an empty map if the argument, an object of texts of any length, is missing.
  std::map<std::string, std::string> texts_by_name(const char* name, std::size_t most);
  std::string required_text(const char* name);
  std::string choice(const char* name, std::span<const std::string_view> of,
                     std::string_view otherwise);
  double number(const char* name, double minimum, double maximum, double otherwise);
  int integer(const char* name, int minimum, int maximum, int otherwise);
  bool flag(const char* name);
  // Sets a decoding option if its argument is given, by the name that tools have for it.
  void option(const protocol::Option& option, protocol::TranscribeOptions& options);

  void fail(std::string message, std::string fix = "");

  // Must be called after all were read: an argument that no function has read is an error too. The
  // code is `usage`.
  Result<void> check() const;

 private:
  const nlohmann::json* find(const char* name);

  const nlohmann::json& given_;
  std::set<std::string> known_{};
  std::optional<Error> problem_{};
};

}  // namespace server
