#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/jobs/job.h"
#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/tool.h"

namespace server {

// Where the sound of a call comes from: exactly one of these is set.
struct SoundSource {
  std::string path{};
  std::string url{};
  std::string upload{};
  std::string audio_base64{};
  std::string file_name{};  // of the Base64 bytes, for people
};

nlohmann::json source_properties();
// check() of `arguments` tells where none or several are given.
SoundSource read_source(Arguments& arguments);

// Puts input, its ownership and the title into the request. Errors: those of the path, the address
// or the upload; too_large.
asio::awaitable<Result<void>> fetch_source(ToolCall call, SoundSource source, JobRequest& request);

}  // namespace server
