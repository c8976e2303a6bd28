#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "server/mcp/tools/arguments.h"
#include "server/options/subtitle_looks.h"

// The arguments of tools that choose how subtitles are broken into lines.
namespace server {

// Returns the schemas of the line options.
nlohmann::json line_properties();

// Reads the line options. Only srt, vtt and ass have them.
protocol::WriterOptions read_lines(Arguments& arguments, std::string_view format);

// Reads the style in which a job that has its own is written this time.
nlohmann::json another_style_property();
std::optional<protocol::SubtitleStyle> read_another_style(Arguments& arguments);

// Returns the arguments that the next page of the same file needs: ", max_line_width=32".
std::string repeated_arguments(const SubtitleLooks& looks);

}  // namespace server
