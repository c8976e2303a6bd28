#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/error.h"

// Values of options that are more than a word or a number, written as openai/whisper's command line
// takes them.
namespace server {

// "none" (in any letter case) turns a rule off.
Result<std::optional<double>> parse_optional_number(std::string_view text);

// "0,0.2,0.4"
Result<std::vector<double>> parse_numbers(std::string_view text);

// "true" or "false", "yes" or "no", "1" or "0", in any letter case.
Result<bool> parse_boolean(std::string_view text);

// A code ("de"), a name ("German") or "auto", which gives the empty string.
Result<std::string> parse_language(std::string_view text);

// Texts between commas, without the spaces around them.
std::vector<std::string> parse_words(std::string_view text);

// Two of them, separated by a comma.
Result<std::vector<std::string>> parse_labels(std::string_view text);

// The temperatures to try: one that was given goes up to 1.0 by `increment`, a list stays as it is.
Result<std::vector<double>> fallback_temperatures(const std::vector<double>& given,
                                                  std::optional<double> increment);

}  // namespace server
