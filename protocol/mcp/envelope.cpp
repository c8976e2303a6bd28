#include "protocol/mcp/envelope.h"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/jsonrpc_id.h"
#include "protocol/mcp/meta_keys.h"

namespace protocol::mcp {
namespace {

constexpr int unsupported_protocol_version = -32022;

constexpr std::array log_levels{"debug", "info",     "notice", "warning",
                                "error", "critical", "alert",  "emergency"};

jsonrpc::Error refused(std::string message) {
  return {jsonrpc::invalid_params, std::move(message), {}};
}

std::string text_of(const Json& object, const char* key) {
  const auto value = object.find(key);
  return value != object.end() && value->is_string() ? value->get<std::string>() : "";
}

Checked<Json> read_progress_token(const Json& meta) {
  const auto token = meta.find("progressToken");
  if (token == meta.end()) return jsonrpc::good<Checked<Json>>({});
  if (jsonrpc::is_id(*token)) return jsonrpc::good<Checked<Json>>(*token);
  return refused("_meta.progressToken must be an integer, or a string of at most 1024 bytes.");
}

Checked<Caller> read_modern_caller(const Json& meta) {
  const Json& version = meta[version_key];
  if (!version.is_string()) return refused(std::string(version_key) + " must be a string.");
  Caller caller{.era = Era::modern, .revision = version.get<std::string>()};
  const auto capabilities = meta.find(capabilities_key);
  if (capabilities == meta.end() || !capabilities->is_object()) {
    return refused(std::string("_meta needs an object ") + capabilities_key);
  }
  if (era_of(caller.revision) != Era::modern) return unsupported_revision(caller.revision);
  caller.capabilities = *capabilities;
  const auto client = meta.find(client_key);
  if (client != meta.end() && client->is_object()) {
    caller.client = text_of(*client, "name") + " " + text_of(*client, "version");
  }
  return caller;
}

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view name) {
  const auto it = std::ranges::find(log_levels, name);
  if (it == log_levels.end()) return std::nullopt;
  return static_cast<LogLevel>(it - log_levels.begin());
}

const char* name(LogLevel level) {
  return log_levels[static_cast<std::size_t>(level)];
}

Checked<Envelope> read_envelope(const Json& params) {
  Envelope envelope;
  const auto meta = params.find("_meta");
  if (meta == params.end()) return envelope;
  if (!meta->is_object()) return refused("_meta must be an object.");
  auto token = read_progress_token(*meta);
  if (!token) return token.error();
  envelope.progress_token = *std::move(token);
  if (meta->contains(version_key)) {
    auto caller = read_modern_caller(*meta);
    if (!caller) return caller.error();
    envelope.modern = *std::move(caller);
    const std::string level = text_of(*meta, log_level_key);
    envelope.log_level = parse_log_level(level);
    if (!level.empty() && !envelope.log_level)
      return refused("There is no log level " + level + ". Use debug, info, warning or error.");
  }
  return envelope;
}

jsonrpc::Error unsupported_revision(const std::string& requested) {
  return {unsupported_protocol_version,
          "The protocol version " + requested + " is not supported. Use one of data.supported.",
          {{"supported", revisions}, {"requested", requested}}};
}

}  // namespace protocol::mcp
