#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// These are small helpers for the texts that kernels print.
namespace platform {

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);  // keeps empty parts
std::vector<std::string_view> words(std::string_view text);  // the words between blanks

// Returns the whole text as a number; empty if it is none. Hexadecimal may begin with 0x.
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<std::uint16_t> parse_hex16(std::string_view text);

}  // namespace platform
