#include "server/config/settings_table.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "server/base/edit_distance.h"
#include "server/config/cluster_rows.h"
#include "server/config/live_rows.h"

namespace server {
namespace {

constexpr double year_s = 366 * 86400.0;
constexpr double tebibyte = 1ULL << 40;

std::vector<Setting> table() {
  return {
      {.key = "server.listen",
       .place = [](Config& c) -> Place { return &c.server.listen; },
       .help =
           "Where to listen: addresses with ports (127.0.0.1:8080, [::1]:8080, :8080 for every "
           "address), names with ports, and sockets in the file system (unix:/run/scribed/socket), "
           "which this user alone can use."},
      {.key = "server.allowed_hosts",
       .place = [](Config& c) -> Place { return &c.server.allowed_hosts; },
       .help = "Names by which clients may call this server, besides its addresses. Where a key is "
               "asked for and none are given, any."},
      {.key = "server.allowed_origins",
       .place = [](Config& c) -> Place { return &c.server.allowed_origins; },
       .help = "Origins of web pages and apps, as app://obsidian.md, vscode-webview://* (all hosts "
               "of a scheme) or null. If keys are configured, pages that send one need no entry."},
      {.key = "server.trusted_proxies",
       .place = [](Config& c) -> Place { return &c.server.trusted_proxies; },
       .help =
           "Addresses (10.0.0.5, 10.0.0.0/8, or unix for sockets in the file system) of proxies "
           "whose X-Forwarded-For, -Proto and -Prefix say who the client is and how it reached "
           "them. What others send of these is not read."},
      {.key = "server.api_key",
       .place = [](Config& c) -> Place { return &c.server.api_key; },
       .help = "One key that clients send as a bearer token.",
       .environment = "SCRIBED_API_KEY",
       .is_secret = true},
      {.key = "server.key_file",
       .place = [](Config& c) -> Place { return &c.server.key_file; },
       .help = "File with the keys that clients may send.",
       .is_live = true},
      {.key = "server.allow_anyone",
       .place = [](Config& c) -> Place { return &c.server.allow_anyone; },
       .help = "Serve everybody who reaches server.listen, although no key is set. For containers, "
               "whose host decides who that is."},
      {.key = "server.require_sandbox",
       .place = [](Config& c) -> Place { return &c.server.require_sandbox; },
       .help = "Refuse to work where a part of the sandbox around decoders and workers is missing "
               "(scribed doctor says which)."},
      {.key = "server.max_connections",
       .place = [](Config& c) -> Place { return &c.server.max_connections; },
       .help = "Connections at once.",
       .min = 1,
       .max = 100'000,
       .is_live = true},
      {.key = "server.max_connections_per_address",
       .place = [](Config& c) -> Place { return &c.server.max_connections_per_address; },
       .help = "Connections at once from one address.",
       .min = 1,
       .max = 100'000,
       .is_live = true},
      {.key = "server.max_held_body_bytes",
       .place = [](Config& c) -> Place { return &c.server.max_held_body_bytes; },
       .help = "Memory for all bodies and live messages that are being received, without the first "
               "64 KiB of each. One owner may have half of what the others leave. Recordings and "
               "clips go to the disk.",
       .min = 64LL << 20,
       .max = tebibyte,
       .is_live = true},
      {.key = "server.max_body_bytes_sync",
       .place = [](Config& c) -> Place { return &c.server.max_body_bytes_sync; },
       .help = "Largest recording of a request that waits for its text.",
       .min = 1024,
       .max = tebibyte,
       .is_live = true},
      {.key = "server.max_upload_bytes",
       .place = [](Config& c) -> Place { return &c.server.max_upload_bytes; },
       .help = "Largest recording of a job, an upload or an address.",
       .min = 1024,
       .max = tebibyte,
       .is_live = true},
      {.key = "server.max_audio_seconds",
       .place = [](Config& c) -> Place { return &c.server.max_audio_seconds; },
       .help = "Longest recording.",
       .min = 1,
       .max = year_s,
       .is_live = true},
      {.key = "server.header_timeout_s",
       .place = [](Config& c) -> Place { return &c.server.header_timeout_s; },
       .help = "How long a client may take to send the head of a request.",
       .min = 1,
       .max = 600,
       .is_live = true},
      {.key = "server.idle_timeout_s",
       .place = [](Config& c) -> Place { return &c.server.idle_timeout_s; },
       .help = "How long a connection may stay open between two requests.",
       .min = 1,
       .max = 3600,
       .is_live = true},
      {.key = "server.write_timeout_s",
       .place = [](Config& c) -> Place { return &c.server.write_timeout_s; },
       .help = "How long a client may read nothing of its answer.",
       .min = 1,
       .max = 3600,
       .is_live = true},
      {.key = "server.early_headers",
       .place = [](Config& c) -> Place { return &c.server.early_headers; },
       .help =
           "Begin a JSON answer that takes longer than 15 seconds before its text is known: with "
           "status 200 and white space, so that no client and no proxy takes the connection for "
           "dead. An error then comes as the body, and its code in the trailer "
           "x-scribed-late-error."},
      {.key = "server.drain_s",
       .place = [](Config& c) -> Place { return &c.server.drain_s; },
       .help = "How long requests may go on when scribed is asked to end.",
       .min = 0,
       .max = 3600,
       .is_live = true},
      {.key = "model.default",
       .place = [](Config& c) -> Place { return &c.model.default_name; },
       .help = "Model where a request names none, or one of OpenAI's."},
      {.key = "model.aliases",
       .place = [](Config& c) -> Place { return &c.model.aliases; },
       .help = "Other names by which clients may call models, each as name=model: fast=tiny.en."},
      {.key = "model.pull",
       .place = [](Config& c) -> Place { return &c.model.pull; },
       .help = "Fetch the default model at the start where it is not installed."},
      {.key = "model.pull_helpers",
       .place = [](Config& c) -> Place { return &c.model.pull_helpers; },
       .help = "Download the models for speaker labels (speakers, 34 MB) and voice activity "
               "(silero-vad, 1 MB) when a request first needs them."},
      {.key = "model.preload",
       .place = [](Config& c) -> Place { return &c.model.preload; },
       .help = "Models to load at the start."},
      {.key = "model.keep_alive",
       .place = [](Config& c) -> Place { return &c.model.keep_alive; },
       .help =
           "How long an unused model stays loaded: 90s, 5m, 1h, 0 (not at all), -1 (for ever)."},
      {.key = "model.max_loaded",
       .place = [](Config& c) -> Place { return &c.model.max_loaded; },
       .help = "Models that are loaded at once.",
       .min = 1,
       .max = 64},
      {.key = "model.threads",
       .place = [](Config& c) -> Place { return &c.model.threads; },
       .help = "CPU threads of a model; 0 is one per physical core, and a worker per NUMA node.",
       .min = 0,
       .max = 1024},
      {.key = "model.device",
       .place = [](Config& c) -> Place { return &c.model.device; },
       .help = "auto, cpu, cuda or cuda:N."},
      {.key = "model.compute_type",
       .place = [](Config& c) -> Place { return &c.model.compute_type; },
       .help = "Precision of the weights; auto takes what is best for the device.",
       .choices = {"auto", "float32", "float16", "bfloat16", "int8"}},
      {.key = "model.require_gpu",
       .place = [](Config& c) -> Place { return &c.model.require_gpu; },
       .help = "Refuse to work on the CPU where a GPU cannot be used.",
       .environment = "SCRIBED_REQUIRE_GPU"},
      {.key = "jobs.max_waiting",
       .place = [](Config& c) -> Place { return &c.jobs.max_waiting; },
       .help = "Jobs that may wait; more are refused.",
       .min = 1,
       .max = 1'000'000,
       .is_live = true},
      {.key = "jobs.max_waiting_per_owner",
       .place = [](Config& c) -> Place { return &c.jobs.max_waiting_per_owner; },
       .help = "Jobs of one key that may wait. Where keys have several names, at most half of "
               "jobs.max_waiting.",
       .min = 1,
       .max = 1'000'000,
       .is_live = true},
      {.key = "jobs.keep_results_s",
       .place = [](Config& c) -> Place { return &c.jobs.keep_results_s; },
       .help = "How long a job that has ended is kept.",
       .min = 1,
       .max = year_s},
      {.key = "jobs.max_keep_results_s",
       .place = [](Config& c) -> Place { return &c.jobs.max_keep_results_s; },
       .help = "The longest time that a client may have a job of its own kept.",
       .min = 1,
       .max = year_s},
      {.key = "jobs.parallel",
       .place = [](Config& c) -> Place { return &c.jobs.parallel; },
       .help = "Recordings for which nobody waits that are transcribed at once. With keys of "
               "several names, one place is kept free of each name's jobs.",
       .min = 1,
       .max = 256},
      {.key = "jobs.parallel_for_clients",
       .place = [](Config& c) -> Place { return &c.jobs.parallel_for_clients; },
       .help = "Recordings for which a client waits that are begun at once. They take turns in the "
               "model, so that a short one does not wait for the end of long ones.",
       .min = 1,
       .max = 256},
      {.key = "jobs.max_attempts",
       .place = [](Config& c) -> Place { return &c.jobs.max_attempts; },
       .help = "How often a job is begun whose worker dies before it gets any further. What ends "
               "with scribed itself is begun again without being counted.",
       .min = 1,
       .max = 100},
      {.key = "jobs.keep_audio",
       .place = [](Config& c) -> Place { return &c.jobs.keep_audio; },
       .help = "Keep the sound of jobs for which nobody waits, for as long as the job, so that it "
               "can be played and transcribed again: 115 MB an hour. It takes at most half of the "
               "limits of inputs and of the free disk."},
      {.key = "jobs.state_folder",
       .place = [](Config& c) -> Place { return &c.jobs.state_folder; },
       .help = "Folder of jobs and uploads; empty: where the system keeps such things.",
       .environment = "SCRIBED_STATE_DIR"},
      {.key = "limits.max_beams",
       .place = [](Config& c) -> Place { return &c.limits.max_beams; },
       .help = "Most beams or samples (beam_size, best_of, and beam_size × patience) that a "
               "client may ask for; the defaults of transcription are always allowed. Keys with "
               "the right manage may use up to 100.",
       .min = 1,
       .max = 100,
       .is_live = true},
      {.key = "inputs.allow_paths",
       .place = [](Config& c) -> Place { return &c.inputs.allow_paths; },
       .help = "Folders whose files clients may name."},
      {.key = "inputs.url_hosts",
       .place = [](Config& c) -> Place { return &c.inputs.url_hosts; },
       .help = "Hosts whose https addresses may be fetched: example.org, *.example.org, or * for "
               "every public one."},
      {.key = "inputs.upload_keep_s",
       .place = [](Config& c) -> Place { return &c.inputs.upload_keep_s; },
       .help = "How long an upload is kept.",
       .min = 1,
       .max = year_s},
      {.key = "inputs.max_uploads_bytes",
       .place = [](Config& c) -> Place { return &c.inputs.max_uploads_bytes; },
       .help = "Room for all uploads together. Where keys have several names, one name gets half.",
       .min = 1024,
       .max = 1024 * tebibyte},
      {.key = "inputs.max_disk_bytes",
       .place = [](Config& c) -> Place { return &c.inputs.max_disk_bytes; },
       .help = "Room for everything that clients store: recordings, uploads, texts with all their "
               "versions; never less than the one of a key.",
       .min = 1024,
       .max = 1024 * tebibyte,
       .is_live = true},
      {.key = "inputs.max_disk_bytes_per_owner",
       .place = [](Config& c) -> Place { return &c.inputs.max_disk_bytes_per_owner; },
       .help = "Room for what one key stores; never less than server.max_upload_bytes. Where keys "
               "have several names, at most half of the room for everything.",
       .min = 1024,
       .max = 1024 * tebibyte,
       .is_live = true},
      {.key = "inputs.min_free_bytes",
       .place = [](Config& c) -> Place { return &c.inputs.min_free_bytes; },
       .help = "Where less is free on the disk of jobs.state_folder, recordings and edits are "
               "refused and /readyz says that scribed is not ready.",
       .min = 0,
       .max = tebibyte,
       .is_live = true},
      {.key = "webhooks.secret_file",
       .place = [](Config& c) -> Place { return &c.webhooks.secret_file; },
       .help = "File with the secret (whsec_…) that webhooks are signed with."},
      {.key = "webhooks.allow_hosts",
       .place = [](Config& c) -> Place { return &c.webhooks.allow_hosts; },
       .help = "Hosts of your own network that webhooks may go to; public ones need no entry."},
      {.key = "mcp.wait_budget_s",
       .place = [](Config& c) -> Place { return &c.mcp.wait_budget_s; },
       .help = "How long a tool waits for a transcript before it answers with a job.",
       .min = 1,
       .max = 600},
      {.key = "mcp.result_bytes",
       .place = [](Config& c) -> Place { return &c.mcp.result_bytes; },
       .help =
           "Most bytes of a tool's result, its text twice in them: for people and for programs. "
           "Longer transcripts come in pages.",
       .min = 20'000,
       .max = 10'000'000},
      {.key = "log.level",
       .place = [](Config& c) -> Place { return &c.log.level; },
       .help = "What is logged.",
       .choices = {"debug", "info", "warning", "error"},
       .is_live = true},
      {.key = "log.format",
       .place = [](Config& c) -> Place { return &c.log.format; },
       .help = "Form of the log's lines.",
       .choices = {"logfmt", "json"}},
      {.key = "log.spoken_text",
       .place = [](Config& c) -> Place { return &c.log.spoken_text; },
       .help = "Also log what was said."},
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
  auto rows = table();
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
