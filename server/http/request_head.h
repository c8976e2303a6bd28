#pragma once

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/verb.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/base/error.h"
#include "server/http/limits.h"
#include "server/http/request_target.h"

namespace server {

namespace http = boost::beast::http;

// Says how the end of a request's body is known.
struct BodyFraming {
  bool is_chunked = false;
  std::uint64_t length = 0;  // if it is not chunked; 0: no body
};

// A request's first line and fields, checked.
struct RequestHead {
  http::verb method = http::verb::unknown;
  std::string method_name{};
  RequestTarget target{};
  http::fields fields{};
  BodyFraming body{};
  bool is_http11 = true;
  bool keep_alive = false;        // the client's wish
  bool expects_continue = false;  // the body comes only after "100 Continue"
};

// Returns where the header ends in the bytes received so far, which is after its empty line; 0: not
// yet. The first `seen` bytes were there in an earlier call. Errors: bad_request as soon as a byte
// has come that no header may hold, header_too_large.
Result<std::size_t> find_head_end(std::string_view bytes, std::size_t seen,
                                  const HttpLimits& limits);

// Parses a header that ends with its empty line. Two parties that read a request differently can be
// played off against each other, so whatever is ambiguous is refused. Errors: bad_request,
// header_too_large, unsupported_media_type (a compressed body), unsupported_expectation.
Result<RequestHead> parse_head(std::string_view bytes, const HttpLimits& limits);

}  // namespace server
