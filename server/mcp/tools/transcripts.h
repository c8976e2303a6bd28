#pragma once

#include <optional>
#include <string>

#include "server/mcp/tools/tool.h"

// Finished jobs as resources: transcript://ID and transcript://ID.srt, .vtt, .ass, .json, .tsv,
// .rttm.
namespace server {

void add_transcripts(mcp::Features& features);

ToolAnswer list_transcripts(ToolCall call, std::optional<std::string> cursor);
ToolAnswer read_transcript_resource(ToolCall call, std::string uri);

}  // namespace server
