#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace server {

// A field such as `form-data; name="file"; filename="a.wav"`.
struct HeaderParams {
  std::string value{};                                        // lower case, what is before the ";"
  std::vector<std::pair<std::string, std::string>> params{};  // names in lower case, each once

  const std::string* find(std::string_view name) const;
};

// Parses such a field; empty if the text does not have that shape. In a quoted text `\"` and
// `\\` are escapes; other backslashes stay, since some clients send Windows paths.
std::optional<HeaderParams> parse_header_params(std::string_view text);

}  // namespace server
