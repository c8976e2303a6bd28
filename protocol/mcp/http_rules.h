#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/jsonrpc.h"
#include "protocol/mcp/features.h"
#include "protocol/mcp/revision.h"

// These rules are what Streamable HTTP requires of a POST besides its message (2026-07-28 and
// 2025-11-25, basic/transports): headers that repeat parts of the body, the era, and the statuses.
namespace protocol::mcp {

// Returns a header's value without blanks around it; empty if there is none of that name.
using HeaderLookup = std::function<std::optional<std::string>(std::string_view name)>;

// A POST that may be handed to a Connection.
struct Posted {
  enum class Kind { request, notification, response, batch } kind = Kind::request;
  Era era = Era::legacy;
  std::string revision{};  // the client's revision
  Json body{};
};

struct Refusal {
  int status = 400;
  Json message{};  // the JSON-RPC error in its body
};

// Checks a POST. Clients of two eras tell servers apart by the order of the checks: JSON, shape,
// era (which the body decides and the header must agree with), envelope, revision, headers.
std::variant<Posted, Refusal> check_post(const Features& features, const HeaderLookup& header,
                                         std::string_view body);

// Returns 415 for a body that is not JSON, 406 for a client that takes no JSON, 0 if both are
// fine.
int check_media_types(const HeaderLookup& header);
bool accepts_event_stream(const HeaderLookup& header);

// Returns the status of an answer that is sent as JSON. A handler's error is sent with 200.
int http_status(Era era, const Json& answer);

// Decodes a header's value that may be wrapped as =?base64?…?=, because headers cannot carry every
// character. Empty: the wrapped part is not Base64.
std::optional<std::string> decode_header(std::string_view value);

}  // namespace protocol::mcp
