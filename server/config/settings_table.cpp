#include "server/config/settings_table.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "server/base/edit_distance.h"
#include "server/config/cluster_rows.h"
#include "server/config/live_rows.h"
#include "server/config/server_rows.h"

namespace server {
namespace {

constexpr double year_s = 366 * 86400.0;
constexpr double tebibyte = 1ULL << 40;

std::vector<Setting> table() {
  return {
      {.key = "model.default",
       .place = [](Config& c) -> Place { return &c.model.default_name; },
       .help = "Model for requests that name none, or one of OpenAI's."},
      {.key = "model.aliases",
       .place = [](Config& c) -> Place { return &c.model.aliases; },
       .help = "Aliases for models, each as name=model: fast=tiny.en."},
      {.key = "model.pull",
       .place = [](Config& c) -> Place { return &c.model.pull; },
       .help = "Download the default model at startup if it is not installed."},
      {.key = "model.pull_helpers",
       .place = [](Config& c) -> Place { return &c.model.pull_helpers; },
       .help = "Download the models for speaker labels (speakers, 34 MB) and voice activity "
               "(silero-vad, 1 MB) when a request first needs them."},
      {.key = "model.preload",
       .place = [](Config& c) -> Place { return &c.model.preload; },
       .help = "Models to load at startup."},
      {.key = "model.keep_alive",
       .place = [](Config& c) -> Place { return &c.model.keep_alive; },
       .help =
           "How long an unused model stays loaded: 90s, 5m, 1h, 0 (unload at once), -1 (forever)."},
      {.key = "model.max_loaded",
       .place = [](Config& c) -> Place { return &c.model.max_loaded; },
       .help = "Maximum number of loaded models.",
       .min = 1,
       .max = 64},
      {.key = "model.threads",
       .place = [](Config& c) -> Place { return &c.model.threads; },
       .help = "CPU threads per model; 0: one per physical core, and a worker per NUMA node.",
       .min = 0,
       .max = 1024},
      {.key = "model.device",
       .place = [](Config& c) -> Place { return &c.model.device; },
       .help = "auto, cpu, cuda or cuda:N."},
      {.key = "model.compute_type",
       .place = [](Config& c) -> Place { return &c.model.compute_type; },
       .help = "Compute type of the weights; auto: the best for the device.",
       .choices = {"auto", "float32", "float16", "bfloat16", "int8"}},
      {.key = "model.require_gpu",
       .place = [](Config& c) -> Place { return &c.model.require_gpu; },
       .help = "Fail instead of using the CPU if no GPU can be used.",
       .environment = "SCRIBED_REQUIRE_GPU"},
      {.key = "jobs.max_waiting",
       .place = [](Config& c) -> Place { return &c.jobs.max_waiting; },
       .help = "Maximum number of queued jobs.",
       .min = 1,
       .max = 1'000'000,
       .is_live = true},
      {.key = "jobs.max_waiting_per_owner",
       .place = [](Config& c) -> Place { return &c.jobs.max_waiting_per_owner; },
       .help = "Maximum number of queued jobs per key; at most half of jobs.max_waiting if keys "
               "have different names.",
       .min = 1,
       .max = 1'000'000,
       .is_live = true},
      {.key = "jobs.keep_results_s",
       .place = [](Config& c) -> Place { return &c.jobs.keep_results_s; },
       .help = "How long a finished job is kept, in seconds. Edited, named, pinned and shared jobs "
               "stay. 0: until it is deleted.",
       .min = 0,
       .max = year_s},
      {.key = "jobs.max_keep_results_s",
       .place = [](Config& c) -> Place { return &c.jobs.max_keep_results_s; },
       .help = "Maximum time to live of a job that a client may set, in seconds.",
       .min = 1,
       .max = year_s},
      {.key = "jobs.parallel",
       .place = [](Config& c) -> Place { return &c.jobs.parallel; },
       .help = "Background jobs that are transcribed at the same time. If keys have different "
               "names, no name uses the last slot.",
       .min = 1,
       .max = 256},
      {.key = "jobs.parallel_for_clients",
       .place = [](Config& c) -> Place { return &c.jobs.parallel_for_clients; },
       .help = "Requests with a waiting client that are transcribed at the same time. They share "
               "the model, so a short one does not wait for long ones.",
       .min = 1,
       .max = 256},
      {.key = "jobs.max_attempts",
       .place = [](Config& c) -> Place { return &c.jobs.max_attempts; },
       .help = "Attempts before a job fails because its worker crashed without progress. Restarts "
               "of scribed do not count.",
       .min = 1,
       .max = 100},
      {.key = "jobs.keep_audio",
       .place = [](Config& c) -> Place { return &c.jobs.keep_audio; },
       .help = "Keep the audio of background jobs as long as the job, to play it and transcribe it "
               "again: 115 MB per hour. It uses at most half of the limits in [inputs] and of the "
               "free disk space."},
      {.key = "jobs.state_folder",
       .place = [](Config& c) -> Place { return &c.jobs.state_folder; },
       .help = "Folder for jobs and uploads; empty: the system's default.",
       .environment = "SCRIBED_STATE_DIR"},
      {.key = "limits.max_beams",
       .place = [](Config& c) -> Place { return &c.limits.max_beams; },
       .help = "Maximum beam_size, best_of, and beam_size × patience of a request; the defaults in "
               "[transcription] are always allowed. Keys with the scope manage may use up to 100.",
       .min = 1,
       .max = 100,
       .is_live = true},
      {.key = "inputs.allow_paths",
       .place = [](Config& c) -> Place { return &c.inputs.allow_paths; },
       .help = "Folders from which clients may transcribe files by path."},
      {.key = "inputs.url_hosts",
       .place = [](Config& c) -> Place { return &c.inputs.url_hosts; },
       .help = "Hosts from which https URLs may be fetched: example.org, *.example.org, or * for "
               "every public host."},
      {.key = "inputs.upload_keep_s",
       .place = [](Config& c) -> Place { return &c.inputs.upload_keep_s; },
       .help = "How long an upload is kept, in seconds.",
       .min = 1,
       .max = year_s},
      {.key = "inputs.max_uploads_bytes",
       .place = [](Config& c) -> Place { return &c.inputs.max_uploads_bytes; },
       .help = "Maximum size of all uploads together; one name gets at most half if keys have "
               "different names.",
       .min = 1024,
       .max = 1024 * tebibyte},
      {.key = "inputs.max_disk_bytes",
       .place = [](Config& c) -> Place { return &c.inputs.max_disk_bytes; },
       .help = "Maximum size of everything that clients store: recordings, uploads, transcripts "
               "with all versions. At least the limit of one key.",
       .min = 1024,
       .max = 1024 * tebibyte,
       .is_live = true},
      {.key = "inputs.max_disk_bytes_per_owner",
       .place = [](Config& c) -> Place { return &c.inputs.max_disk_bytes_per_owner; },
       .help = "Maximum size of what one key stores; at least server.max_upload_bytes. At most "
               "half of inputs.max_disk_bytes if keys have different names.",
       .min = 1024,
       .max = 1024 * tebibyte,
       .is_live = true},
      {.key = "inputs.min_free_bytes",
       .place = [](Config& c) -> Place { return &c.inputs.min_free_bytes; },
       .help = "Minimum free space on the disk of jobs.state_folder. Below it, recordings and "
               "edits are refused and /readyz returns 503.",
       .min = 0,
       .max = tebibyte,
       .is_live = true},
      {.key = "webhooks.secret_file",
       .place = [](Config& c) -> Place { return &c.webhooks.secret_file; },
       .help = "File with the secret (whsec_…) for signing webhooks."},
      {.key = "webhooks.allow_hosts",
       .place = [](Config& c) -> Place { return &c.webhooks.allow_hosts; },
       .help = "Private hosts that webhooks may be sent to; public hosts need no entry."},
      {.key = "mcp.wait_budget_s",
       .place = [](Config& c) -> Place { return &c.mcp.wait_budget_s; },
       .help = "How long a tool waits for a transcript before it returns a job id, in seconds.",
       .min = 1,
       .max = 600},
      {.key = "mcp.result_bytes",
       .place = [](Config& c) -> Place { return &c.mcp.result_bytes; },
       .help = "Maximum size of a tool's result, which contains the text twice: as text and as "
               "JSON. Longer transcripts are paged.",
       .min = 20'000,
       .max = 10'000'000},
      {.key = "log.level",
       .place = [](Config& c) -> Place { return &c.log.level; },
       .help = "Minimum level of log entries.",
       .choices = {"debug", "info", "warning", "error"},
       .is_live = true},
      {.key = "log.format",
       .place = [](Config& c) -> Place { return &c.log.format; },
       .help = "Format of log lines.",
       .choices = {"logfmt", "json"}},
      {.key = "log.spoken_text",
       .place = [](Config& c) -> Place { return &c.log.spoken_text; },
       .help = "Also log transcribed text."},
  };
}

std::string_view last_part(std::string_view key) {
  return key.substr(key.rfind('.') + 1);
}

// Returns the settings for decoding options, which are the defaults of requests.
std::vector<Setting> decoding_table() {
  std::vector<Setting> rows;
  for (const protocol::Option& option : protocol::option_table()) {
    if (!option.offered.in_settings) continue;
    rows.push_back({.key = "transcription." + std::string(option.name),
                    .place = [](Config& c) -> Place { return &c.transcription; },
                    .help = std::string(option.help) + ".",
                    .option = &option});
  }
  return rows;
}

std::vector<Setting> whole_table() {
  auto rows = server_rows();
  std::ranges::move(table(), std::back_inserter(rows));
  const auto after = std::ranges::find(rows, "jobs.max_waiting", &Setting::key);
  std::ranges::move(decoding_table(), std::inserter(rows, after));
  for (auto more : {cluster_rows(), live_rows()}) {
    const auto before = std::ranges::find(rows, "webhooks.secret_file", &Setting::key);
    std::ranges::move(more, std::inserter(rows, before));
  }
  return rows;
}

}  // namespace

std::span<const Setting> settings() {
  static const std::vector<Setting> all = whole_table();
  return all;
}

const Setting* find_setting(std::string_view key) {
  const auto found = std::ranges::find(settings(), key, &Setting::key);
  return found == settings().end() ? nullptr : &*found;
}

std::string nearest_key(std::string_view key) {
  key = key.substr(0, 80);
  std::string_view nearest;
  std::size_t smallest = 4;  // with more than three changes it is another word
  for (const Setting& setting : settings()) {
    // The right name in the wrong table counts as near, too.
    const bool has_name = last_part(setting.key) == last_part(key);
    const std::size_t changes = has_name ? 1 : edit_distance(key, setting.key);
    if (changes < smallest) {
      smallest = changes;
      nearest = setting.key;
    }
  }
  return std::string(nearest);
}

std::string environment_name(const Setting& setting) {
  if (!setting.environment.empty()) return std::string(setting.environment);
  std::string name = "SCRIBED_";
  for (const char c : setting.key) {
    name += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

}  // namespace server
