#pragma once

#include "platform/unique_fd.h"
#include "server/bridge/mcp_bridge.h"
#include "server/client/api_client.h"

namespace server {

// Whether the server answers there and its key may transcribe. Errors: those of ApiClient::call.
Result<void> check_joinable(const ApiClient& client);

// Serves the MCP host on stdin and `output` by that server, until stdin ends or a signal comes.
ExitCode bridge_stdio(ApiClient client, bridge::McpBridge::Settings settings,
                      platform::UniqueFd output);

}  // namespace server
