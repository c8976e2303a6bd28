#pragma once

#include <chrono>
#include <filesystem>

#include "server/api/api.h"
#include "server/base/error.h"
#include "server/config/config.h"
#include "server/http/api_keys.h"
#include "server/http/limits.h"
#include "server/inputs/disk_room.h"
#include "server/log/log.h"
#include "server/mcp/tools/tool.h"
#include "server/submission/submission.h"
#include "server/webhooks/webhook_sender.h"

// From the configuration to what the parts of the daemon take.
namespace server {

// `usual`: the level where the configuration names none.
Log::Settings log_settings(const Config& config, LogLevel usual, const Environment& environment);
// A result must be there before a host of MCP gives up, so a slow address gets no more time.
Submission::Settings submission_settings(const Config& config);
ToolSettings tool_settings(const Config& config);
// For clients that need not be on this machine: they write no files, and have the rights of their
// keys. `keys` must outlive what gets the settings.
ToolSettings http_tool_settings(const Config& config, const ApiKeys& keys);
HttpLimits http_limits(const Config& config);
ApiSettings api_settings(const Config& config);
std::chrono::milliseconds drain_time(const Config& config);

// Whether others than this machine can reach it. Of addresses that check_config() has passed.
bool is_public(const Config& config);

// Of the disk that the folder is on.
DiskRoom::Limits disk_limits(const Config& config, const std::filesystem::path& folder);

// How many jobs of one owner may run, as JobQueue::set_most_running() takes it.
struct RunningShares {
  int most = 0;
  int most_waited_for = 0;
};

// None of several owners may hold every place.
RunningShares shares_of_one(const Config& config, bool has_several_owners);

// Both read the files that are named.
Result<ApiKeys> read_keys(const Config& config);
Result<WebhookSender::Settings> webhook_settings(const Config& config);

}  // namespace server
