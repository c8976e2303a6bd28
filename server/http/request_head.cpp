#include "server/http/request_head.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <iterator>

namespace server {
namespace {

using boost::beast::iequals;

Error bad_head(std::string message) {
  return {errc::bad_request, std::move(message)};
}

Error too_large() {
  return {errc::header_too_large, "The header of the request is too large.",
          "Send fewer or shorter header fields."};
}

bool is_forbidden(char byte) {
  return (static_cast<unsigned char>(byte) < 0x20 && byte != '\r' && byte != '\n' &&
          byte != '\t') ||
         byte == 0x7f;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 18 &&
         std::ranges::all_of(text, [](char digit) { return digit >= '0' && digit <= '9'; });
}

// Some fields may come only once: of two, another program might read the other one than we do.
std::optional<Error> problem_of_single_fields(const http::fields& fields) {
  for (const char* name : {"content-type", "expect", "idempotency-key"}) {
    if (fields.count(name) > 1)
      return bad_head(std::string("The request has more than one ") + name + ".");
  }
  return std::nullopt;
}

std::optional<Error> problem_of_framing(const http::fields& fields, bool is_http11) {
  const auto lengths = fields.count(http::field::content_length);
  const auto codings = fields.count(http::field::transfer_encoding);
  if (lengths > 1) return bad_head("The request has more than one content-length.");
  if (lengths == 1 && !is_number(fields[http::field::content_length])) {
    return bad_head("The request's content-length is not a number.");
  }
  if (codings == 0) return std::nullopt;
  if (lengths == 1) return bad_head("The request has both content-length and transfer-encoding.");
  if (codings > 1 || !iequals(fields[http::field::transfer_encoding], "chunked")) {
    return bad_head("The request's transfer-encoding is not \"chunked\".");
  }
  if (!is_http11) return bad_head("A request of HTTP/1.0 cannot have a transfer-encoding.");
  return std::nullopt;
}

std::optional<Error> problem_of_fields(const http::fields& fields, bool is_http11,
                                       const HttpLimits& limits) {
  if (static_cast<std::size_t>(std::ranges::distance(fields)) > limits.header_fields) {
    return too_large();
  }
  const auto hosts = fields.count(http::field::host);
  if (hosts > 1 || (hosts == 0 && is_http11)) return bad_head("The request needs one host field.");
  if (auto problem = problem_of_single_fields(fields)) return problem;
  if (auto problem = problem_of_framing(fields, is_http11)) return problem;
  for (const auto& field : fields) {
    const auto name = field.name();
    const std::string_view value = field.value();
    if (name == http::field::content_encoding && !iequals(value, "identity")) {
      return Error{errc::unsupported_media_type, "Compressed request bodies are not taken.",
                   "Send the body as it is, without content-encoding."};
    }
    if (name == http::field::expect && is_http11 && !iequals(value, "100-continue")) {
      return Error{errc::unsupported_expectation, "The request expects what scribed cannot do.",
                   "Leave out the field \"expect\"."};
    }
  }
  return std::nullopt;
}

// The parser would join folded lines, and other programs read them differently.
bool has_folded_line(std::string_view bytes) {
  return bytes.find("\n ") != bytes.npos || bytes.find("\n\t") != bytes.npos;
}

}  // namespace

Result<std::size_t> find_head_end(std::string_view bytes, std::size_t seen,
                                  const HttpLimits& limits) {
  const auto first = seen - std::min<std::size_t>(seen, 3);  // the end may have begun there
  const auto end = bytes.find("\r\n\r\n", first);
  const auto head = bytes.substr(0, end == bytes.npos ? bytes.size() : end + 4);
  for (std::size_t at = first; at < head.size(); ++at) {
    const bool breaks_line = head[at] == '\n' && (at == 0 || head[at - 1] != '\r');
    const bool is_alone = head[at] == '\r' && at + 1 < head.size() && head[at + 1] != '\n';
    if (is_forbidden(head[at]) || breaks_line || is_alone) {
      return bad_head("This is no HTTP request: its header holds bytes that have no place there.");
    }
  }
  if (head.size() > limits.header_bytes ||
      (end == bytes.npos && head.size() == limits.header_bytes)) {
    return too_large();
  }
  return end == bytes.npos ? 0 : head.size();
}

Result<RequestHead> parse_head(std::string_view bytes, const HttpLimits& limits) {
  if (has_folded_line(bytes)) return bad_head("The request's header has folded lines.");
  http::request_parser<http::empty_body> parser;
  parser.header_limit(static_cast<std::uint32_t>(limits.header_bytes + 1));
  parser.body_limit(boost::none);
  boost::system::error_code failure;
  parser.put(boost::asio::buffer(bytes.data(), bytes.size()), failure);
  if (failure || !parser.is_header_done())
    return bad_head("The request's header is not valid HTTP/1.");

  auto& message = parser.get();
  const bool is_http11 = message.version() == 11;
  if (auto problem = problem_of_fields(message, is_http11, limits)) return *std::move(problem);
  auto target = parse_target(message.target());
  if (!target) return std::move(target).error();
  // RFC 9112, 3.2.2: ignore the received Host.
  if (!target->authority.empty()) message.set(http::field::host, target->authority);
  return RequestHead{
      .method = message.method(),
      .method_name = std::string(message.method_string()),
      .target = *std::move(target),
      .fields = message.base(),
      .body = {.is_chunked = parser.chunked(), .length = parser.content_length().value_or(0)},
      .is_http11 = is_http11,
      .keep_alive = parser.keep_alive(),
      .expects_continue = is_http11 && message.count(http::field::expect) > 0,
  };
}

}  // namespace server
