#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/writers.h"
#include "server/base/error.h"

namespace server {

// openai/whisper's options for the lines of subtitles, which need word timestamps.
inline constexpr std::array<std::string_view, 4> line_options{
    "max_line_width", "max_line_count", "max_words_per_line", "highlight_words"};

bool is_line_option(std::string_view name);

// Sets one of them from text. Errors: usage.
//   place  "parameter ", or whatever the error calls it
Result<void> set_line_option(const std::string& place, std::string_view name,
                             const std::string& text, protocol::WriterOptions& options);

bool has_line_option(const protocol::WriterOptions& options);

}  // namespace server
