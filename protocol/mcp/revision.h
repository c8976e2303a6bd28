#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

// The revisions of the Model Context Protocol (modelcontextprotocol.io/specification).
namespace protocol::mcp {

// Legacy clients open with `initialize`; modern ones give all data with each request.
enum class Era { legacy, modern };

// The supported revisions, newest first. Dates compare as text.
inline constexpr std::array<std::string_view, 5> revisions{"2026-07-28", "2025-11-25", "2025-06-18",
                                                           "2025-03-26", "2024-11-05"};
inline constexpr std::string_view newest_modern = "2026-07-28";
inline constexpr std::string_view newest_legacy = "2025-11-25";
// The revision of an HTTP client that names none (2025-11-25, transports).
inline constexpr std::string_view unnamed_http = "2025-03-26";

// Returns the era; empty for a revision that is not supported.
std::optional<Era> era_of(std::string_view revision);

// Returns the revision that answers a legacy client's `initialize`: the one that it wants, or else
// the newest legacy one.
std::string_view negotiate(std::string_view wanted);

// The revisions that added or removed features which other clients would not understand.
inline constexpr std::string_view batches_came = "2025-03-26";
inline constexpr std::string_view batches_went = "2025-06-18";
inline constexpr std::string_view annotations_came = "2025-03-26";
inline constexpr std::string_view structured_content_came = "2025-06-18";
inline constexpr std::string_view titles_came = "2025-06-18";

}  // namespace protocol::mcp
