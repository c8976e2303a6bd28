#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "server/api/api.h"
#include "server/base/error.h"
#include "server/config/config.h"
#include "server/http/api_keys.h"
#include "server/http/limits.h"
#include "server/inputs/disk_room.h"
#include "server/jobs/job_limits.h"
#include "server/live/live_services.h"
#include "server/log/log.h"
#include "server/mcp/tools/tool.h"
#include "server/submission/submission.h"
#include "server/webhooks/webhook_sender.h"

// These functions turn the configuration into the settings of the daemon's parts.
namespace server {

// `usual` is the level where the configuration names none.
Log::Settings log_settings(const Config& config, LogLevel usual, const Environment& environment);
// A result must be there before a host of MCP gives up, so a slow address gets no more time.
Submission::Settings submission_settings(const Config& config);
// Makes the settings for the user's own programs: they name and write files below the folders of
// `services`. `home` stands for "~".
ToolSettings stdio_tool_settings(const Config& config, const Services& services, std::string home);
// Makes the settings for clients that need not be on this machine: they write no files, and have
// the rights of their keys. `keys` must outlive what gets the settings.
ToolSettings http_tool_settings(const Config& config, const Services& services,
                                const ApiKeys& keys);
HttpLimits http_limits(const Config& config);
ApiSettings api_settings(const Config& config);
// With keys nobody may hold more than half of the live sessions, so that others have some, too.
// What becomes of `on_end` is the caller's.
LiveServices::Settings live_services_settings(const Config& config, bool has_keys);
std::chrono::milliseconds drain_time(const Config& config);
// Returns how long answers may still take when no job runs here any more: the least time, or, at a
// gateway, whose jobs go on elsewhere, until the deadline.
std::chrono::milliseconds time_for_answers(const Config& config, std::chrono::milliseconds least,
                                           std::chrono::steady_clock::time_point deadline);

// Returns whether other machines can reach the server. check_config() must have passed its
// addresses.
bool is_public(const Config& config);
// Returns the names, if any, by which server.listen calls this machine.
std::vector<std::string> listening_names(const Config& config);

// The limits of keys, by the names that own jobs.
using LimitsByName = std::map<std::string, KeyLimits>;

// Whose limits there are. Where there are several owners, none of them may have more than half of
// what there is for all.
struct Owners {
  bool are_several() const { return names > 1; }

  std::size_t names = 1;  // how many there are
  LimitsByName limits{};
};

// Returns the limits for the disk that holds the folder.
DiskRoom::Limits disk_limits(const Config& config, const std::filesystem::path& folder,
                             const Owners& owners = {});
// Returns how many bytes the uploads of one owner may have.
std::uint64_t uploads_bytes_of_one(const Config& config, bool are_several);
JobLimits job_limits(const Config& config, const Owners& owners = {});

// Returns the shares; none of several owners may hold every place.
RunningShares shares_of_one(const Config& config, bool has_several_owners);

// Sockets that were inherited are what scribed listens on, and what is checked as such.
Result<void> name_inherited(const std::vector<platform::UniqueFd>& sockets, Config& config);

// Both functions read the files that the configuration names.
Result<ApiKeys> read_keys(const Config& config);
Result<WebhookSender::Settings> webhook_settings(const Config& config);

}  // namespace server
