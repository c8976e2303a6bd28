#include "server/http/byte_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <charconv>

namespace server {
namespace {

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Returns the one range that the field names, cut off at the end of the content; a length of 0:
// there is nothing there. Empty: the field has several, or cannot be understood.
std::optional<ByteRange> range_of(std::string_view field, std::uint64_t size) {
  constexpr std::string_view unit = "bytes=";
  if (!boost::beast::iequals(field.substr(0, unit.size()), unit)) return std::nullopt;
  field.remove_prefix(unit.size());
  const auto dash = field.find('-');
  if (dash == field.npos) return std::nullopt;
  const std::string_view from = field.substr(0, dash), to = field.substr(dash + 1);
  if (from.empty()) {
    const auto last = number_of(to);
    if (!last) return std::nullopt;
    const std::uint64_t length = std::min(*last, size);
    return ByteRange{size - length, length};
  }
  const auto first = number_of(from);
  const auto last = to.empty() ? std::optional(UINT64_MAX) : number_of(to);
  if (!first || !last || *last < *first) return std::nullopt;
  if (*first >= size) return ByteRange{*first, 0};
  return ByteRange{*first, std::min(*last, size - 1) - *first + 1};
}

}  // namespace

WantedBytes wanted_bytes(const http::fields& request, std::uint64_t size, std::string_view etag) {
  const WantedBytes all{.range = {0, size}};
  if (request.count(http::field::range) != 1) return all;
  const bool is_conditional = request.count(http::field::if_range) > 0;
  if (is_conditional && std::string_view(request[http::field::if_range]) != etag) return all;
  const auto range = range_of(request[http::field::range], size);
  if (!range) return all;
  if (range->length == 0) return {http::status::range_not_satisfiable, {}};
  return {http::status::partial_content, *range};
}

std::string content_range(const WantedBytes& wanted, std::uint64_t size) {
  if (wanted.range.length == 0) return fmt::format("bytes */{}", size);
  const std::uint64_t last = wanted.range.first + wanted.range.length - 1;
  return fmt::format("bytes {}-{}/{}", wanted.range.first, last, size);
}

}  // namespace server
