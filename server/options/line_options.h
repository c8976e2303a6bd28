#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "protocol/writers.h"
#include "server/base/error.h"

namespace server {

// One of openai/whisper's options for the lines of subtitles, which need word timestamps.
struct LineOption {
  std::string_view name;
  std::string_view help;
  bool is_flag = false;  // true or false; otherwise a whole number from 1 to most_of_line_option
};

inline constexpr std::array<LineOption, 4> line_options{
    {{"max_line_width", "srt, vtt and ass: characters of a line; needs word timestamps"},
     {"max_line_count", "srt, vtt and ass: lines of a subtitle, with max_line_width"},
     {"max_words_per_line", "srt, vtt and ass: words of a subtitle, without max_line_width"},
     {"highlight_words", "srt and vtt: underline each word as it is said; ass: karaoke", true}}};

inline constexpr int most_of_line_option = 1000;

bool is_line_option(std::string_view name);

// Sets one of them from text. Errors: usage.
//   place  "parameter ", or whatever the error calls it
Result<void> set_line_option(const std::string& place, std::string_view name,
                             const std::string& text, protocol::WriterOptions& options);

// Describes one in JSON Schema.
nlohmann::ordered_json line_option_schema(const LineOption& option);

bool has_line_option(const protocol::WriterOptions& options);

}  // namespace server
