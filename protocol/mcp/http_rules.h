#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/jsonrpc.h"
#include "protocol/mcp/features.h"
#include "protocol/mcp/revision.h"

// What Streamable HTTP asks of a POST beside its message (2026-07-28 and 2025-11-25,
// basic/transports): headers that repeat parts of the body, the era, and the statuses.
namespace protocol::mcp {

// A header's value without blanks around it; nothing where there is none of that name.
using HeaderLookup = std::function<std::optional<std::string>(std::string_view name)>;

// A POST that may be handed to a Connection.
struct Posted {
  enum class Kind { request, notification, response, batch } kind = Kind::request;
  Era era = Era::legacy;
  std::string revision{};  // that the client speaks
  Json body{};
};

struct Refusal {
  int status = 400;
  Json message{};  // the JSON-RPC error that goes with it
};

// The order of the checks is what clients of two eras tell servers apart by: JSON, shape, era
// (which the body decides and the header must agree with), envelope, revision, headers.
std::variant<Posted, Refusal> check_post(const Features& features, const HeaderLookup& header,
                                         std::string_view body);

// 415 for a body that is not JSON, 406 for a client that takes no JSON, 0 where both are fine.
int check_media_types(const HeaderLookup& header);
bool accepts_event_stream(const HeaderLookup& header);

// Of an answer that is sent as JSON. What a handler refuses travels on 200.
int http_status(Era era, const Json& answer);

// A header's value that may be wrapped as =?base64?…?=, for what headers cannot carry. Nothing
// where the wrapped part is not Base64.
std::optional<std::string> decode_header(std::string_view value);

}  // namespace protocol::mcp
