#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/error.h"

// These functions parse option values that are more than a word or a number, written as
// openai/whisper's command line takes them.
namespace server {

// Returns the text with the letters of ASCII in lower case: names of values count in any case.
std::string lower_case(std::string_view text);

// Parses a number; "none" (in any letter case) turns a rule off.
Result<std::optional<double>> parse_optional_number(std::string_view text);

// Parses a list such as "0,0.2,0.4".
Result<std::vector<double>> parse_numbers(std::string_view text);

// Parses "true" or "false", "yes" or "no", "on" or "off", "1" or "0", in any letter case.
Result<bool> parse_boolean(std::string_view text);

// Parses a code ("de"), a name ("German") or "auto", which gives the empty string.
Result<std::string> parse_language(std::string_view text);

// Parses an audio track: its number, counted from 1, or its language, of which the code is
// returned.
Result<std::string> parse_audio_track(std::string_view text);

// The time lines of DecoderOptions::timeline, the default one first.
inline constexpr std::array<std::string_view, 2> timelines{"player", "packed"};

// Returns the texts between commas, without the spaces around them.
std::vector<std::string> parse_words(std::string_view text);

// Parses two labels, separated by a comma.
Result<std::vector<std::string>> parse_labels(std::string_view text);

// Returns the temperatures to try: a single one is continued up to 1.0 by `increment`, a list stays
// as it is.
Result<std::vector<double>> fallback_temperatures(const std::vector<double>& given,
                                                  std::optional<double> increment);

}  // namespace server
