#include "server/http/request_id.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "server/base/random_bytes.h"

namespace server {
namespace {

bool is_plain(std::string_view id) {
  constexpr std::string_view allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  return !id.empty() && id.size() <= 64 && id.find_first_not_of(allowed) == id.npos;
}

bool is_hex_id(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos &&
         text.find_first_not_of('0') != text.npos;
}

}  // namespace

std::string new_request_id() {
  std::array<unsigned char, 8> bytes{};
  if (!fill_with_random(bytes)) throw std::runtime_error("the kernel gives no random numbers");
  constexpr char digits[] = "0123456789abcdef";
  std::string id;
  for (const unsigned char byte : bytes) {
    id += digits[byte / 16];
    id += digits[byte % 16];
  }
  return id;
}

std::string request_id_of(const boost::beast::http::fields& headers) {
  const std::string_view given = headers["x-request-id"];
  return is_plain(given) ? std::string(given) : new_request_id();
}

// Version, trace, span and flags: "00-<32>-<16>-<2>". A later version may have more behind it.
Trace trace_of(const boost::beast::http::fields& headers) {
  Trace trace{.request_id = request_id_of(headers)};
  const std::string_view text = headers["traceparent"];
  constexpr std::size_t length = 55;
  const bool has_shape = text.size() >= length && text[2] == '-' && text[35] == '-' &&
                         text[52] == '-' && headers.count("traceparent") == 1;
  if (!has_shape || text.starts_with("ff")) return trace;
  const bool is_longer = text.size() > length;
  if (is_longer && (text.starts_with("00") || text[length] != '-')) return trace;
  const auto trace_id = text.substr(3, 32), span_id = text.substr(36, 16);
  if (!is_hex_id(trace_id) || !is_hex_id(span_id)) return trace;
  trace.trace_id = trace_id;
  trace.span_id = span_id;
  return trace;
}

}  // namespace server
