#include "server/daemon/part_settings.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "server/base/owners_turn.h"
#include "server/daemon/pool_settings.h"
#include "server/http/listen_address.h"
#include "server/http/listener.h"
#include "server/http/listening_socket.h"
#include "server/inputs/allowed_paths.h"
#include "server/webhooks/signature.h"

namespace server {
namespace {

using std::chrono::milliseconds;

milliseconds milliseconds_of(double seconds) {
  return milliseconds(static_cast<long long>(seconds * 1000));
}

LogLevel level_of(const std::string& name) {
  if (name == "debug") return LogLevel::debug;
  if (name == "warning") return LogLevel::warning;
  if (name == "error") return LogLevel::error;
  return LogLevel::info;
}

ToolSettings tool_settings(const Config& config, const Services& services) {
  return {.wait = std::chrono::seconds(static_cast<long>(config.mcp.wait_budget_s)),
          .result_bytes = static_cast<std::size_t>(config.mcp.result_bytes),
          .folders = services.paths.folders(),
          .may_fetch = services.urls != nullptr};
}

}  // namespace

Log::Settings log_settings(const Config& config, LogLevel usual, const Environment& environment) {
  const bool is_named = config.origins.contains("log.level");
  return {.level = is_named ? level_of(config.log.level) : usual,
          .form = config.log.format == "json" ? LogForm::json : LogForm::logfmt,
          .is_journal = is_journal_stream(environment, STDERR_FILENO),
          .spoken_text = config.log.spoken_text};
}

Submission::Settings submission_settings(const Config& config) {
  return {.max_audio_seconds = config.server.max_audio_seconds,
          .max_beams = static_cast<int>(config.limits.max_beams),
          .fetch_limit = std::chrono::seconds(static_cast<long>(config.mcp.wait_budget_s))};
}

ToolSettings stdio_tool_settings(const Config& config, const Services& services, std::string home) {
  ToolSettings settings = tool_settings(config, services);
  settings.home = std::move(home);
  settings.may_write = settings.may_name_files();
  return settings;
}

ToolSettings http_tool_settings(const Config& config, const Services& services,
                                const ApiKeys& keys) {
  ToolSettings settings = tool_settings(config, services);
  settings.takes_uploads = true;
  settings.may = [&keys](const std::string& principal, Right right) {
    return keys.may(principal, right);
  };
  return settings;
}

HttpLimits http_limits(const Config& config) {
  HttpLimits limits;
  limits.connections = static_cast<std::size_t>(config.server.max_connections);
  limits.connections_per_address =
      static_cast<std::size_t>(config.server.max_connections_per_address);
  limits.held_body_bytes = static_cast<std::size_t>(config.server.max_held_body_bytes);
  limits.header_time = milliseconds_of(config.server.header_timeout_s);
  limits.idle_time = milliseconds_of(config.server.idle_timeout_s);
  limits.write_time = milliseconds_of(config.server.write_timeout_s);
  return limits;
}

ApiSettings api_settings(const Config& config) {
  ApiSettings settings{
      .max_body_bytes = static_cast<std::uint64_t>(config.server.max_body_bytes_sync),
      .max_upload_bytes = static_cast<std::uint64_t>(config.server.max_upload_bytes),
      .max_audio_seconds = config.server.max_audio_seconds,
      .keep_results_s = config.jobs.keep_results_s,
      .is_worker = config.cluster.is_worker(),
      .max_requests_of_one = std::max<std::size_t>(1, connection_limit(http_limits(config)) / 2),
      .forms = {.max_keep_results_s = config.jobs.max_keep_results_s},
      .doors = {.realtime = config.live.enabled && config.live.realtime,
                .asr = config.live.asr,
                .inference = config.live.whisper_cpp,
                .deepgram = config.live.enabled && config.live.deepgram,
                .jigasi = config.live.enabled && config.live.jigasi}};
  if (!config.server.early_headers) settings.early_head_after.reset();
  return settings;
}

LiveServices::Settings live_services_settings(const Config& config, bool has_keys) {
  const Config::Live& live = config.live;
  const auto half = std::max<std::int64_t>(1, live.max_sessions / 2);
  const auto of_one = std::min(live.max_sessions_of_one_key, has_keys ? half : live.max_sessions);
  const std::chrono::duration<double, std::ratio<3600>> hours(live.max_session_hours);
  return {
      .enabled = live.enabled,
      .limits = {.sessions = static_cast<std::size_t>(live.max_sessions),
                 .sessions_of_one = static_cast<std::size_t>(of_one)},
      .most_time = std::chrono::duration_cast<std::chrono::seconds>(hours),
      .refusal = config.cluster.is_gateway() ? std::optional(gateway_has_no_model()) : std::nullopt,
      .model = live.model,
      .second_look = live.second_look};
}

milliseconds drain_time(const Config& config) {
  return milliseconds_of(config.server.drain_s);
}

milliseconds time_for_answers(const Config& config, milliseconds least,
                              std::chrono::steady_clock::time_point deadline) {
  if (!config.cluster.is_gateway()) return least;
  const auto left = deadline - std::chrono::steady_clock::now();
  return std::max(least, std::chrono::duration_cast<milliseconds>(left));
}

bool is_public(const Config& config) {
  return std::ranges::any_of(config.server.listen, [](const std::string& address) {
    const auto parsed = parse_listen_address(address);
    return parsed && !parsed->is_local();
  });
}

std::vector<std::string> listening_names(const Config& config) {
  std::vector<std::string> names;
  for (const auto& text : config.server.listen) {
    const auto address = parse_listen_address(text);
    if (address && address->has_name()) names.push_back(address->host);
  }
  return names;
}

DiskRoom::Limits disk_limits(const Config& config, const std::filesystem::path& folder,
                             const Owners& owners) {
  const auto& inputs = config.inputs;
  auto own = std::max(inputs.max_disk_bytes_per_owner, config.server.max_upload_bytes);
  const auto all = std::max({own, inputs.max_disk_bytes, inputs.max_uploads_bytes});
  if (owners.are_several()) own = std::min(own, all / 2);
  std::map<std::string, std::uint64_t> of_owner;
  for (const auto& [name, limit] : owners.limits) {
    if (limit.stored_bytes) of_owner[name] = static_cast<std::uint64_t>(*limit.stored_bytes);
  }
  return {.total = static_cast<std::uint64_t>(all),
          .per_owner = static_cast<std::uint64_t>(own),
          .of_owner = std::move(of_owner),
          .min_free = static_cast<std::uint64_t>(inputs.min_free_bytes),
          .free_bytes = [folder = folder.string()] { return free_bytes(folder); }};
}

std::uint64_t uploads_bytes_of_one(const Config& config, bool are_several) {
  const auto all = static_cast<std::uint64_t>(config.inputs.max_uploads_bytes);
  return are_several ? all / 2 : all;
}

JobLimits job_limits(const Config& config, const Owners& owners) {
  JobLimits jobs{.max_waiting = static_cast<int>(config.jobs.max_waiting),
                 .max_waiting_per_owner = static_cast<int>(config.jobs.max_waiting_per_owner)};
  if (owners.are_several()) {
    jobs.max_waiting_per_owner =
        std::min(jobs.max_waiting_per_owner, std::max(1, jobs.max_waiting / 2));
  }
  for (const auto& [name, limit] : owners.limits) {
    jobs.of_owner[name] = {.open_jobs = limit.running_jobs,
                           .sound_seconds_per_day = limit.sound_seconds_per_day,
                           .weight = limit.weight.value_or(1)};
  }
  return jobs;
}

RunningShares shares_of_one(const Config& config, bool has_several_owners) {
  const auto of = [&](std::int64_t places) {
    return most_running_of_one(static_cast<int>(places), has_several_owners);
  };
  return {.most = of(config.jobs.parallel),
          .most_waited_for = of(config.jobs.parallel_for_clients)};
}

Result<ApiKeys> read_keys(const Config& config) {
  ApiKeys keys;
  if (!config.server.key_file.empty()) {
    if (const auto read = keys.add_file(config.server.key_file); !read) return read.error();
  }
  if (!config.server.api_key.empty()) {
    if (const auto added = keys.add_key(config.server.api_key); !added) return added.error();
  }
  return keys;
}

Result<WebhookSender::Settings> webhook_settings(const Config& config) {
  WebhookSender::Settings settings{.allow_hosts = config.webhooks.allow_hosts};
  if (config.webhooks.secret_file.empty()) return settings;
  auto secret = WebhookSecret::read(config.webhooks.secret_file);
  if (!secret) return secret.error();
  settings.secret = *std::move(secret);
  return settings;
}

Result<void> name_inherited(const std::vector<platform::UniqueFd>& sockets, Config& config) {
  if (sockets.empty()) return {};
  config.server.listen.clear();
  for (const auto& socket : sockets) {
    const auto address = address_of(socket.get());
    if (!address) return address.error();
    config.server.listen.push_back(address->text());
  }
  return {};
}

}  // namespace server
