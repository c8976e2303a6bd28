#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "server/http/exchange.h"

namespace server {

// The part of a content that an answer has.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t length = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// What a request wants of a content of `size` bytes: all of it with 200, a part with 206, or a part
// that does not exist, which is 416.
struct WantedBytes {
  http::status status = http::status::ok;
  ByteRange range{};
};

// Reads Range and If-Range as RFC 9110 says. Several ranges, a range that cannot be understood, and
// one of an older content are answered with all of it.
//   etag  of the content as it is now, with its quotes
WantedBytes wanted_bytes(const http::fields& request, std::uint64_t size, std::string_view etag);

// Returns the field Content-Range of an answer with 206 or 416.
std::string content_range(const WantedBytes& wanted, std::uint64_t size);

}  // namespace server
