#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "server/base/error.h"

// These limits say how much text may come with a recording, be it by a form, a tool or the command
// line. All of it is kept with the job for as long as its result is.
namespace server {

// The limit of a prompt, a prefix, or all hotwords together: the model keeps 223 tokens of each,
// and no vocabulary spells those with more bytes.
inline constexpr std::size_t max_text_bytes = 8192;
inline constexpr std::size_t max_name_bytes = 255;      // name of a model, a file or a speaker
inline constexpr std::size_t max_address_bytes = 4096;  // a path or a URL
inline constexpr std::size_t max_languages = 100;       // to choose among

inline constexpr std::size_t max_clip_ends = 10'000;

// In the following, `field` is its user's name for it: "parameter prompt" or "option --prefix". The
// code of errors is `usage`.

// Labels that stand before the text of channels: none, or two where channels are split. Each has a
// character at least and no control characters, so that it begins no line of its own.
Result<void> check_labels(std::string_view field, std::span<const std::string> labels,
                          bool is_split);

Result<void> check_bytes(std::string_view field, std::size_t bytes, std::size_t most);
Result<void> check_count(std::string_view field, std::size_t count, std::size_t most);

}  // namespace server
