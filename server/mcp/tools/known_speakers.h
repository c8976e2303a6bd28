#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/tool.h"
#include "server/submission/source.h"

// The argument `known_speakers`: an object of names, each with a clip of the speaker's voice. A
// clip is a path, an upload or a data URL: of those that the settings allow.
namespace server {

nlohmann::json known_speakers_property(const ToolSettings& settings);

// check() of `arguments` fails where a clip is none of these.
std::vector<NamedClip> read_known_speakers(Arguments& arguments, const ToolSettings& settings);

}  // namespace server
