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
       .max = most_bytes,
       .is_live = true},
      {.key = "server.max_body_bytes_sync",
       .place = [](Config& c) -> Place { return &c.server.max_body_bytes_sync; },
       .help = "Largest recording of a request that waits for its text.",
       .min = 1024,
       .max = most_bytes,
       .is_live = true},
      {.key = "server.max_upload_bytes",
       .place = [](Config& c) -> Place { return &c.server.max_upload_bytes; },
       .help = "Largest recording of a job, an upload or an address.",
       .min = 1024,
       .max = most_bytes,
       .is_live = true},
      {.key = "server.max_audio_seconds",
       .place = [](Config& c) -> Place { return &c.server.max_audio_seconds; },
       .help = "Longest recording.",
       .min = 1,
       .max = most_seconds,
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
  };
}

}  // namespace server
