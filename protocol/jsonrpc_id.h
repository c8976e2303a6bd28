#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

namespace protocol::jsonrpc {

// The ids that peers choose for their messages are limited, because they are repeated in every
// answer and in every progress message.
inline constexpr std::size_t max_id_bytes = 1024;

// Returns whether a value can be a request's id, or a progress token of MCP: an integer, or a text
// that is not too long.
bool is_id(const nlohmann::json& value);

}  // namespace protocol::jsonrpc
