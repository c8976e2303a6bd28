#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace protocol {

struct Language {
  std::string_view code;  // "en"
  std::string_view name;  // "english"
};

// Every language Whisper knows, in the order of its tokens. Models before large-v3 know all but the
// last one.
std::span<const Language> languages();

// The code for a code, a name or a common other name, in any letter case: "Castilian" -> "es". ISO
// 639-2 codes, BCP 47 tags and locales are understood: "fre" -> "fr", "pt-BR" -> "pt".
std::optional<std::string_view> language_code(std::string_view code_or_name);

// "en" -> "english"; empty for an unknown code.
std::string_view language_name(std::string_view code);

}  // namespace protocol
