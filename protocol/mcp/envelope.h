#pragma once

#include <optional>
#include <string>

#include "protocol/mcp/call.h"

// The data besides a request's own parameters: params._meta (2026-07-28, basic/index, _meta).
namespace protocol::mcp {

enum class LogLevel { debug, info, notice, warning, error, critical, alert, emergency };

std::optional<LogLevel> parse_log_level(std::string_view name);
const char* name(LogLevel level);

struct Envelope {
  std::optional<Caller> modern{};  // empty: the request is a legacy one
  Json progress_token{};           // null: none was given
  std::optional<LogLevel> log_level{};
};

using jsonrpc::Checked;

// Reads the envelope. Errors: a modern envelope with something missing (-32602), a revision that is
// not supported (-32022, with those that are).
Checked<Envelope> read_envelope(const Json& params);

jsonrpc::Error unsupported_revision(const std::string& requested);

}  // namespace protocol::mcp
