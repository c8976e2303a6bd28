#include "server/config/server_rows.h"

namespace server {
namespace {

constexpr double most_seconds = 366 * 86400.0;
constexpr double most_bytes = 1ULL << 40;

}  // namespace

std::vector<Setting> server_rows() {
  return {
      {.key = "server.listen",
       .place = [](Config& c) -> Place { return &c.server.listen; },
       .help = "Addresses to listen on: 127.0.0.1:8080, [::1]:8080, :8080 (every address), a host "
               "name with a port, or a Unix socket (unix:/run/scribed/socket), which only this "
               "user can use."},
      {.key = "server.allowed_hosts",
       .place = [](Config& c) -> Place { return &c.server.allowed_hosts; },
       .help = "Host names of this server that requests may use, besides its addresses. Empty: "
               "any, if keys are required."},
      {.key = "server.allowed_origins",
       .place = [](Config& c) -> Place { return &c.server.allowed_origins; },
       .help = "Allowed origins (CORS): app://obsidian.md, vscode-webview://* (all hosts of a "
               "scheme) or null. Pages that send a key need no entry."},
      {.key = "server.trusted_proxies",
       .place = [](Config& c) -> Place { return &c.server.trusted_proxies; },
       .help =
           "Addresses (10.0.0.5, 10.0.0.0/8, or unix for Unix sockets) of proxies whose "
           "X-Forwarded-For, -Proto and -Prefix headers are used. They are ignored from others."},
      {.key = "server.api_key",
       .place = [](Config& c) -> Place { return &c.server.api_key; },
       .help = "One API key that clients send as a bearer token.",
       .environment = "SCRIBED_API_KEY",
       .is_secret = true},
      {.key = "server.key_file",
       .place = [](Config& c) -> Place { return &c.server.key_file; },
       .help = "File with the API keys.",
       .is_live = true},
      {.key = "server.allow_anyone",
       .place = [](Config& c) -> Place { return &c.server.allow_anyone; },
       .help = "Serve every client that can reach server.listen, without a key. For containers, "
               "whose host decides who can reach them."},
      {.key = "server.require_sandbox",
       .place = [](Config& c) -> Place { return &c.server.require_sandbox; },
       .help = "Fail if a part of the sandbox around decoders and workers is missing (see scribed "
               "doctor)."},
      {.key = "server.max_connections",
       .place = [](Config& c) -> Place { return &c.server.max_connections; },
       .help = "Maximum number of connections.",
       .min = 1,
       .max = 100'000,
       .is_live = true},
      {.key = "server.max_connections_per_address",
       .place = [](Config& c) -> Place { return &c.server.max_connections_per_address; },
       .help = "Maximum number of connections per client address.",
       .min = 1,
       .max = 100'000,
       .is_live = true},
      {.key = "server.max_held_body_bytes",
       .place = [](Config& c) -> Place { return &c.server.max_held_body_bytes; },
       .help = "Memory for request bodies and live messages that are being received, without the "
               "first 64 KiB of each. One key may use half of what others leave. Recordings are "
               "written to disk.",
       .min = 64LL << 20,
       .max = most_bytes,
       .is_live = true},
      {.key = "server.max_body_bytes_sync",
       .place = [](Config& c) -> Place { return &c.server.max_body_bytes_sync; },
       .help = "Maximum size of a recording in a request that waits for the transcript.",
       .min = 1024,
       .max = most_bytes,
       .is_live = true},
      {.key = "server.max_upload_bytes",
       .place = [](Config& c) -> Place { return &c.server.max_upload_bytes; },
       .help = "Maximum size of a recording of a job, an upload or a URL.",
       .min = 1024,
       .max = most_bytes,
       .is_live = true},
      {.key = "server.max_audio_seconds",
       .place = [](Config& c) -> Place { return &c.server.max_audio_seconds; },
       .help = "Maximum duration of a recording, in seconds.",
       .min = 1,
       .max = most_seconds,
       .is_live = true},
      {.key = "server.header_timeout_s",
       .place = [](Config& c) -> Place { return &c.server.header_timeout_s; },
       .help = "Timeout for the headers of a request, in seconds.",
       .min = 1,
       .max = 600,
       .is_live = true},
      {.key = "server.idle_timeout_s",
       .place = [](Config& c) -> Place { return &c.server.idle_timeout_s; },
       .help = "Timeout of an idle connection between two requests, in seconds.",
       .min = 1,
       .max = 3600,
       .is_live = true},
      {.key = "server.write_timeout_s",
       .place = [](Config& c) -> Place { return &c.server.write_timeout_s; },
       .help = "Timeout of a client that does not read its response, in seconds.",
       .min = 1,
       .max = 3600,
       .is_live = true},
      {.key = "server.early_headers",
       .place = [](Config& c) -> Place { return &c.server.early_headers; },
       .help = "After 15 seconds, begin a JSON response with status 200 and white space, so that "
               "clients and proxies do not time out. A later error is in the body, and its code in "
               "the trailer x-scribed-late-error."},
      {.key = "server.drain_s",
       .place = [](Config& c) -> Place { return &c.server.drain_s; },
       .help = "How long requests may continue after a signal to stop, in seconds.",
       .min = 0,
       .max = 3600,
       .is_live = true},
  };
}

}  // namespace server
