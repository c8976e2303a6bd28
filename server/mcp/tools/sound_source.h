#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/tool.h"
#include "server/submission/source.h"

// The sound of a call comes from exactly one of path, url, upload and audio_base64: of those that
// the settings allow.
namespace server {

nlohmann::json source_properties(const ToolSettings& settings);

// Returns "exactly one of path and audio_base64".
std::string one_of_sources(const ToolSettings& settings);

// Returns the folders as words: "below "/home/ada" or "/srv"".
std::string folder_names(const ToolSettings& settings);

// check() of `arguments` fails if none or several are given, or the bytes cannot be read.
SoundSource read_source(Arguments& arguments, const ToolSettings& settings);

}  // namespace server
