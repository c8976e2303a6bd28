#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

namespace protocol::jsonrpc {

// What peers choose to tell their messages apart is repeated in every answer, and in every message
// of progress.
inline constexpr std::size_t max_id_bytes = 1024;

// Whether a request's id, or a progress token of MCP, can be that: an integer, or a text that is
// not too long.
bool is_id(const nlohmann::json& value);

}  // namespace protocol::jsonrpc
