#include "server/http/answer_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <ctime>

#include "server/http/http_date.h"

namespace server {
namespace {

bool has_header(const Response& response, std::string_view name) {
  return std::ranges::any_of(response.headers, [&](const auto& header) {
    return boost::beast::iequals(header.first, name);
  });
}

void add(std::string& head, std::string_view name, std::string_view value) {
  const auto is_plain = [](char byte) {
    return (static_cast<unsigned char>(byte) >= 0x20 && byte != 0x7f) || byte == '\t';
  };
  std::ranges::copy_if(name, std::back_inserter(head), is_plain);
  head += ": ";
  std::ranges::copy_if(value, std::back_inserter(head), is_plain);
  head += "\r\n";
}

// 460 is defined by tus 1.0.
std::string_view reason_of(http::status status) {
  if (static_cast<unsigned>(status) == 460) return "Checksum Mismatch";
  return http::obsolete_reason(status);
}

bool has_body(http::status status) {
  return status != http::status::no_content && status != http::status::not_modified;
}

void add_framing(std::string& head, const Response& response, const AnswerFraming& framing) {
  if (has_body(response.status)) {
    // Some clients read it even if the body is empty.
    if (!response.content_type.empty()) add(head, "content-type", response.content_type);
    if (framing.length) add(head, "content-length", std::to_string(*framing.length));
    if (framing.is_chunked()) add(head, "transfer-encoding", "chunked");
  }
  if (!framing.keep_alive) add(head, "connection", "close");
  if (framing.keep_alive && !framing.is_http11) add(head, "connection", "keep-alive");
}

}  // namespace

std::string answer_fields(const Headers& fields) {
  std::string lines;
  for (const auto& [name, value] : fields) add(lines, name, value);
  return lines;
}

std::string answer_head(const Response& response, const AnswerFraming& framing,
                        std::string_view request_id) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", static_cast<unsigned>(response.status),
                                 reason_of(response.status));
  // RFC 9110 wants the date from every server that has a clock.
  add(head, "date", http_date(std::time(nullptr)));
  add_framing(head, response, framing);
  add(head, "x-request-id", request_id);
  add(head, "x-content-type-options", "nosniff");
  if (!has_header(response, "cache-control")) add(head, "cache-control", "no-store");
  return head + answer_fields(response.headers) + "\r\n";
}

}  // namespace server
