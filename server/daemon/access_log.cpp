#include "server/daemon/access_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "server/daemon/part_settings.h"

namespace server {
namespace {

// Returns "/v1/shares/…/audio" for a path with the token of a link.
std::string without_token(const std::string& path) {
  constexpr std::string_view links = "/v1/shares/";
  if (!path.starts_with(links)) return path;
  const auto end = path.find('/', links.size());
  return std::string(links) + "…" + (end == path.npos ? "" : path.substr(end));
}

}  // namespace

void log_request(Log& log, const AccessRecord& record) {
  const LogFields fields{{"method", record.method},
                         {"path", without_token(record.path)},
                         {"status", record.status},
                         {"seconds", record.seconds},
                         {"bytes_in", record.bytes_in},
                         {"bytes_out", record.bytes_out},
                         {"peer", record.peer},
                         {"key", record.key},
                         {"request_id", record.trace.request_id},
                         {"trace_id", record.trace.trace_id},
                         {"span_id", record.trace.span_id},
                         {"error", record.error}};
  const bool is_probe = record.path == "/livez" || record.path == "/readyz";
  if (record.status >= 500 && !is_probe) {
    log.error("request", fields);
  } else if (is_probe) {
    log.debug("request", fields);
  } else {
    log.info("request", fields);
  }
}

void log_listening(Log& log, const ListenAddress& address) {
  if (!address.path.empty()) return log.info("listening", {{"socket", address.path}});
  log.info("listening", {{"address", address.host}, {"port", address.port}});
}

void log_openness(Log& log, const Config& config, bool has_keys) {
  if (is_public(config) && !has_keys) {
    log.warning("no keys are required: everyone who can reach these addresses can use scribed");
  }
  const auto& origins = config.server.allowed_origins;
  if (std::ranges::find(origins, "null") != origins.end()) {
    log.warning(
        "server.allowed_origins contains null: sandboxed pages of every site send this origin");
  }
}

void log_ignored_fields(Log& log, const Exchange& exchange,
                        const std::vector<std::string>& fields) {
  log.info("fields of a form ignored", {{"fields", fmt::format("{}", fmt::join(fields, ","))},
                                        {"request_id", exchange.trace().request_id}});
}

void log_text_warnings(Log& log, const Exchange& exchange,
                       const std::vector<std::string>& warnings) {
  log.info("warnings of a transcript", {{"warnings", fmt::format("{}", fmt::join(warnings, " "))},
                                        {"request_id", exchange.trace().request_id}});
}

void log_live_session(Log& log, const LiveRecord& session) {
  const LogFields fields{{"session", session.id},
                         {"key", session.principal},
                         {"request_id", session.request_id},
                         {"model", session.model},
                         {"audio_seconds", session.sound_s},
                         {"turns", session.turns},
                         {"code", session.error ? session.error->code : ""},
                         {"error", session.error ? session.error->message : ""}};
  if (session.error) return log.warning("live session failed", fields);
  log.info("live session ended", fields);
}

}  // namespace server
