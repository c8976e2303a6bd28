#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "protocol/transcribe_options.h"

namespace server {

// The settings of scribed. The values here are the built-in defaults; settings_table.cpp has each
// setting's meaning, limits and name.
struct Config {
  struct Server {
    std::vector<std::string> listen{"127.0.0.1:8080"};
    std::vector<std::string> allowed_hosts{};
    std::vector<std::string> allowed_origins{};
    std::vector<std::string> trusted_proxies{};
    std::string api_key{};  // secret
    std::string key_file{};
    bool allow_anyone = false;
    bool require_sandbox = false;
    std::int64_t max_connections = 2048;
    std::int64_t max_connections_per_address = 256;
    std::int64_t max_held_body_bytes = 128LL << 20;
    std::int64_t max_body_bytes_sync = 512LL << 20;
    std::int64_t max_upload_bytes = 2LL << 30;
    double max_audio_seconds = 36000;
    double header_timeout_s = 10;
    double idle_timeout_s = 75;
    double write_timeout_s = 30;
    bool early_headers = true;
    double drain_s = 20;
  };

  struct Model {
    std::string default_name = "base";
    std::vector<std::string> aliases{};
    bool pull = false;
    bool pull_helpers = true;
    std::vector<std::string> preload{};
    std::string keep_alive = "5m";
    std::int64_t max_loaded = 1;
    std::int64_t threads = 0;
    std::string device = "auto";
    std::string compute_type = "auto";
    bool require_gpu = false;
  };

  struct Jobs {
    std::int64_t max_waiting = 512;
    std::int64_t max_waiting_per_owner = 128;
    double keep_results_s = 0;  // 0: until somebody deletes the job
    double max_keep_results_s = 31622400;
    std::int64_t parallel = 4;
    std::int64_t parallel_for_clients = 32;
    std::int64_t max_attempts = 3;
    bool keep_audio = true;
    std::string state_folder{};
  };

  // What one request of a client may ask for.
  struct Limits {
    std::int64_t max_beams = 10;
  };

  struct Inputs {
    std::vector<std::string> allow_paths{};
    std::vector<std::string> url_hosts{};
    double upload_keep_s = 86400;
    std::int64_t max_uploads_bytes = 64LL << 30;
    std::int64_t max_disk_bytes = 128LL << 30;
    std::int64_t max_disk_bytes_per_owner = 64LL << 30;
    std::int64_t min_free_bytes = 128LL << 20;
  };

  struct Live {
    bool enabled = true;
    std::string model{};
    std::int64_t max_sessions = 64;
    std::int64_t max_sessions_of_one_key = 16;
    double max_session_hours = 4;
    bool second_look = false;
    bool realtime = true;
    bool deepgram = true;
    bool jigasi = true;
    bool asr = true;
    bool whisper_cpp = true;
    std::string wyoming_listen{};
    bool wyoming_external_vad = true;
  };

  // Several daemons that work on the same jobs.
  struct Cluster {
    std::string database{};  // secret: it may have a password
    std::string inputs{};
    std::string objects{};
    std::string objects_endpoint{};
    std::string objects_region = "us-east-1";
    std::string objects_keys{};
    std::string objects_key_id{};  // secret, as the next two
    std::string objects_secret{};
    std::string objects_session_token{};
    double lease_s = 15;
    std::string role = "both";

    // A gateway accepts jobs and answers, and transcribes nothing.
    bool is_gateway() const { return role == "gateway"; }
    // A worker transcribes, and serves no clients.
    bool is_worker() const { return role == "worker"; }
  };

  struct Webhooks {
    std::string secret_file{};
    std::vector<std::string> allow_hosts{};
  };

  struct Mcp {
    double wait_budget_s = 45;
    std::int64_t result_bytes = 40'000;
  };

  struct Logging {
    std::string level = "info";
    std::string format = "logfmt";
    bool spoken_text = false;
  };

  Server server{};
  Model model{};
  protocol::TranscribeOptions transcription{};  // defaults for requests
  Jobs jobs{};
  Limits limits{};
  Inputs inputs{};
  Live live{};
  Cluster cluster{};
  Webhooks webhooks{};
  Mcp mcp{};
  Logging log{};

  // The origin of each value that is not built in, by key: "/etc/scribed/config.toml:12",
  // "SCRIBED_…", "--listen".
  std::map<std::string, std::string> origins{};
  // The name of a variable that should hold keys but is set to nothing: "SCRIBED_API_KEY".
  std::string empty_key_variable{};
  // The name of a variable that scribed does not know and that resembles the one of keys, and that
  // one: "SCRIBED_API_KY", "SCRIBED_API_KEY".
  std::string unknown_key_variable{}, meant_key_variable{};
};

}  // namespace server
