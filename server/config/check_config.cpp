#include "server/config/check_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "server/config/model_aliases.h"
#include "server/http/client_address.h"
#include "server/http/listen_address.h"
#include "server/http/origin_guard.h"

namespace server {
namespace {

namespace fs = std::filesystem;

Error unsafe(std::string message, std::string fix) {
  return {errc::bad_config, std::move(message), std::move(fix)};
}

bool has(const std::vector<std::string>& list, const char* text) {
  return std::ranges::find(list, text) != list.end();
}

Result<void> check_listening(const Config& config, bool has_keys) {
  if (config.server.listen.empty()) {
    return unsafe("server.listen is empty, so nobody could reach scribed",
                  "Name an address, such as 127.0.0.1:8080, or a socket, such as "
                  "unix:/run/scribed/socket.");
  }
  for (const auto& text : config.server.listen) {
    const auto address = parse_listen_address(text);
    if (!address) {
      return unsafe("server.listen: " + address.error().message, address.error().fix);
    }
    if (!address->is_local() && !has_keys && !config.server.allow_anyone) {
      return unsafe(
          "everybody in the network could use scribed at " + text + ", because no key is asked for",
          "Set server.key_file or SCRIBED_API_KEY, or listen on 127.0.0.1 only.");
    }
  }
  return {};
}

// Wyoming has no keys, so that whoever names an address in the network means it.
Result<void> check_live(const Config& config) {
  const std::string& listen = config.live.wyoming_listen;
  if (listen.empty()) return {};
  const auto address = parse_listen_address(listen);
  if (!address) {
    return unsafe("live.wyoming_listen: " + address.error().message, address.error().fix);
  }
  return {};
}

Result<void> check_browsers(const Config& config, bool has_keys) {
  for (const auto& host : config.server.allowed_hosts) {
    if (host.empty() || host.find_first_of("*/ ") != std::string::npos) {
      return unsafe(fmt::format("server.allowed_hosts: \"{}\" is no name of a host", host),
                    "Name each host that clients use: with \"*\" any web page could make its "
                    "visitors' browsers speak to this server.");
    }
  }
  for (const auto& origin : config.server.allowed_origins) {
    if (is_any_page(origin)) {
      if (has_keys) continue;  // a page without a key can do nothing
      return unsafe(fmt::format("server.allowed_origins: \"{}\" would let any web page in", origin),
                    "Name the pages, or set server.key_file or SCRIBED_API_KEY.");
    }
    if (!is_origin(origin)) {
      return unsafe(fmt::format("server.allowed_origins: \"{}\" is no origin", origin),
                    "Write each as a browser sends it, without a path: https://example.org, "
                    "app://obsidian.md, vscode-webview://* or null.");
    }
  }
  const auto proxies = TrustedProxies::parse(config.server.trusted_proxies);
  if (!proxies) {
    return unsafe("server.trusted_proxies: " + proxies.error().message, proxies.error().fix);
  }
  return {};
}

Result<void> check_paths(const Config& config) {
  static constexpr std::array closed{"/", "/etc", "/proc", "/sys", "/dev", "/root", "/run"};
  for (const auto& text : config.inputs.allow_paths) {
    const fs::path path = (fs::path(text) / "").lexically_normal().parent_path();
    if (!fs::path(text).is_absolute()) {
      return unsafe(fmt::format("inputs.allow_paths: \"{}\" is not a whole path", text),
                    "Write it from the root: /srv/recordings.");
    }
    if (std::ranges::find(closed, path) != closed.end()) {
      return unsafe(fmt::format("inputs.allow_paths: {} holds more than recordings", text),
                    "Name the folder that the recordings are in.");
    }
  }
  return {};
}

Result<void> check_requests(const Config& config) {
  if (has(config.webhooks.allow_hosts, "*")) {
    return unsafe(
        "webhooks.allow_hosts: with \"*\" a client could reach every machine of this "
        "network",
        "Name the hosts; public ones need no entry.");
  }
  if (config.server.max_body_bytes_sync > config.server.max_upload_bytes) {
    return unsafe("server.max_body_bytes_sync is larger than server.max_upload_bytes",
                  "Lower the first, or raise the second.");
  }
  if (config.jobs.max_waiting_per_owner > config.jobs.max_waiting) {
    return unsafe("jobs.max_waiting_per_owner is larger than jobs.max_waiting",
                  "Lower the first, or raise the second.");
  }
  return {};
}

Result<void> check_models(const Config& config) {
  if (config.model.default_name.empty()) {
    return unsafe("model.default is empty", "Name a model, such as base.");
  }
  if (const auto aliases = parse_aliases(config.model.aliases); !aliases) return aliases.error();
  if (config.model.require_gpu && config.model.device == "cpu") {
    return unsafe("model.require_gpu asks for a GPU, and model.device for the CPU",
                  "Remove one of the two.");
  }
  if (static_cast<std::int64_t>(config.model.preload.size()) > config.model.max_loaded) {
    return unsafe(fmt::format("model.preload names {} models, and model.max_loaded allows {}",
                              config.model.preload.size(), config.model.max_loaded),
                  "Raise model.max_loaded, or preload fewer.");
  }
  return {};
}

// Whoever has no model has no live sessions, and whoever serves no clients has none either.
Result<void> check_role(const Config& config) {
  const auto& cluster = config.cluster;
  if (!cluster.is_gateway() && !cluster.is_worker()) return {};
  if (cluster.database.empty()) {
    return unsafe(fmt::format("cluster.role is {}, and no database is named", cluster.role),
                  "Set SCRIBED_DATABASE: gateways and workers share the jobs in it.");
  }
  if (config.live.wyoming_listen.empty()) return {};
  return unsafe(fmt::format("live.wyoming_listen is set, and cluster.role is {}", cluster.role),
                "Live sessions need a daemon whose role is both.");
}

// Refuses a key that is set to nothing or by a wrong name, because whoever did that meant to set
// one. An empty one is harmless if everybody is allowed: a container passes the variable on even if
// nobody has set it.
Result<void> check_keys(const Config& config, bool has_keys) {
  if (!has_keys && !config.unknown_key_variable.empty()) {
    return unsafe(
        fmt::format("{} is set, which scribed does not know, and no key is",
                    config.unknown_key_variable),
        fmt::format("Did you mean {}? Unset it to ask for no key.", config.meant_key_variable));
  }
  if (has_keys || config.empty_key_variable.empty() || config.server.allow_anyone) return {};
  return unsafe(config.empty_key_variable + " is set, and empty",
                "Give it a value, or unset it: then no key is asked for.");
}

}  // namespace

Result<void> check_config(const Config& config, bool has_keys) {
  if (const auto fine = check_keys(config, has_keys); !fine) return fine.error();
  if (const auto fine = check_listening(config, has_keys); !fine) return fine.error();
  if (const auto fine = check_browsers(config, has_keys); !fine) return fine.error();
  if (const auto fine = check_paths(config); !fine) return fine.error();
  if (const auto fine = check_requests(config); !fine) return fine.error();
  if (const auto fine = check_live(config); !fine) return fine.error();
  if (const auto fine = check_role(config); !fine) return fine.error();
  return check_models(config);
}

}  // namespace server
