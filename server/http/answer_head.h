#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/exchange.h"

namespace server {

// Says how the end of an answer is known, and whether the connection goes on after it.
struct AnswerFraming {
  // The answer's length in bytes; empty: unknown.
  std::optional<std::uint64_t> length{};
  bool is_http11 = true;
  bool keep_alive = true;

  bool is_chunked() const { return !length && is_http11; }
};

// Returns fields as lines. Control characters in them are left out, so that no value can add a
// field.
std::string answer_fields(const Headers& fields);

// Returns the answer's first line and fields, up to and including the empty line.
std::string answer_head(const Response& response, const AnswerFraming& framing,
                        std::string_view request_id);

}  // namespace server
