#pragma once

// These names in the `_meta` of messages are reserved by the specification.
namespace protocol::mcp {

inline constexpr char version_key[] = "io.modelcontextprotocol/protocolVersion";
inline constexpr char capabilities_key[] = "io.modelcontextprotocol/clientCapabilities";
inline constexpr char client_key[] = "io.modelcontextprotocol/clientInfo";
inline constexpr char log_level_key[] = "io.modelcontextprotocol/logLevel";
inline constexpr char subscription_key[] = "io.modelcontextprotocol/subscriptionId";

}  // namespace protocol::mcp
