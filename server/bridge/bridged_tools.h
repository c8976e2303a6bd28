#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

// How a daemon's tools look through the bridge. The daemon reads no files of the host's user, so
// its tools take uploads; the bridge reads them itself and uploads their bytes, so that through it
// the same tools take paths.
namespace server::bridge {

using Json = nlohmann::json;

// Changes a result of `initialize`, `server/discover` or `tools/list`: in schemas, descriptions and
// instructions a path stands where the daemon says upload.
void offer_paths(Json& result, const std::vector<std::filesystem::path>& folders);

// Returns the path that a call of a tool names; empty where it names none.
std::optional<std::string> named_path(const Json& message);

// Puts an upload's handle in the place of the path. `message` is one for which there is a
// named_path().
void name_upload(Json& message, const std::string& handle);

// Returns the paths of clips that a call names, by the names of their speakers.
std::map<std::string, std::string> named_clips(const Json& message);

// Puts an upload's handle in the place of the path of one of the named_clips().
void name_clip_upload(Json& message, const std::string& speaker, const std::string& handle);

// Returns the answer to a call that cannot be passed on; the model reads the text.
Json refused_call(const Json& message, const std::string& text);

}  // namespace server::bridge
