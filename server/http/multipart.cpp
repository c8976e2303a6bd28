#include "server/http/multipart.h"

#include <algorithm>

#include "server/http/header_params.h"
#include "server/http/multipart_head.h"

namespace server {
namespace {

// RFC 2046 lets proxies add spaces behind a boundary.
constexpr std::size_t max_padding = 64;

bool is_boundary_char(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') ||
         std::string_view("'()+_,-./:=? ").find(byte) != std::string_view::npos;
}

}  // namespace

Result<std::string> boundary_of(std::string_view content_type) {
  const auto params = parse_header_params(content_type);
  if (!params || params->value != "multipart/form-data") {
    return Error{errc::unsupported_media_type, "The request is no form.",
                 "Send it as multipart/form-data."};
  }
  const std::string* boundary = params->find("boundary");
  if (!boundary || boundary->empty() || boundary->size() > 70 || boundary->ends_with(' ') ||
      !std::ranges::all_of(*boundary, is_boundary_char)) {
    return bad_form("The form has no valid boundary.");
  }
  return *boundary;
}

MultipartParser::MultipartParser(std::string_view boundary, MultipartSink& sink)
    : delimiter_("\r\n--" + std::string(boundary)), sink_(sink) {}

Result<void> MultipartParser::feed(std::string_view bytes) {
  while (!bytes.empty() && state_ != State::epilogue) {
    Result<void> taken;
    if (state_ == State::preamble || state_ == State::data) {
      taken = take_content(bytes);
    } else {
      const char byte = bytes.front();
      bytes.remove_prefix(1);
      taken = state_ == State::head ? take_head(byte) : take_delimiter_line(byte);
    }
    if (!taken) return taken;
  }
  return {};
}

// Takes all content before the next delimiter or before a possible beginning of one, or one byte of
// a delimiter that began in an earlier piece. The only line end in a delimiter is its first two
// bytes, so a failed match can begin anew only with the byte that ended it.
Result<void> MultipartParser::take_content(std::string_view& bytes) {
  if (matched_ == 0) {
    const auto end = std::min(bytes.find(delimiter_), begin_of_delimiter(bytes));
    const auto plain = bytes.substr(0, end);
    bytes.remove_prefix(end);
    matched_ = std::min(bytes.size(), delimiter_.size() - 1);
    bytes.remove_prefix(matched_);
    return give(plain);
  }
  if (bytes.front() != delimiter_[matched_]) {
    const auto kept = std::string_view(delimiter_).substr(0, matched_);
    matched_ = 0;
    return give(kept);
  }
  bytes.remove_prefix(1);
  if (++matched_ < delimiter_.size()) return {};
  matched_ = 0;
  return end_content();
}

// Returns where the last bytes begin that may go on as a delimiter, or the size of `bytes`.
std::size_t MultipartParser::begin_of_delimiter(std::string_view bytes) const {
  const auto begin = bytes.rfind('\r');
  const bool may_go_on =
      begin != bytes.npos && std::string_view(delimiter_).starts_with(bytes.substr(begin));
  return may_go_on ? begin : bytes.size();
}

Result<void> MultipartParser::give(std::string_view bytes) {
  if (bytes.empty() || state_ == State::preamble) return {};
  return sink_.part_data(bytes);
}

Result<void> MultipartParser::end_content() {
  const bool was_part = state_ == State::data;
  state_ = State::behind_delimiter;
  line_.clear();
  if (!was_part) return {};
  return sink_.part_ends();
}

// Takes what follows a boundary: a line end, or "--" after the last part.
Result<void> MultipartParser::take_delimiter_line(char byte) {
  line_ += byte;
  if (line_ == "--") {
    state_ = State::epilogue;
    return {};
  }
  if (line_ == "-") return {};
  const auto padding = std::min(line_.find_first_not_of(" \t"), line_.size());
  const auto rest = std::string_view(line_).substr(padding);
  if (padding > max_padding || !std::string_view("\r\n").starts_with(rest)) {
    return bad_form("There is something behind a boundary of the form.");
  }
  if (rest.size() < 2) return {};
  if (++parts_ > max_parts) return bad_form("The form has too many parts.");
  head_.clear();
  state_ = State::head;
  return {};
}

Result<void> MultipartParser::take_head(char byte) {
  if (head_.size() == max_head_bytes) return bad_form("A part of the form has too long a header.");
  head_ += byte;
  if (head_ == "\r\n" || head_.ends_with("\r\n\r\n")) return begin_part();
  return {};
}

Result<void> MultipartParser::begin_part() {
  const auto head = parse_part_head(std::string_view(head_).substr(0, head_.size() - 2));
  if (!head) return head.error();
  state_ = State::data;
  return sink_.part_begins(*head);
}

Result<void> MultipartParser::finish() const {
  if (state_ == State::epilogue) return {};
  return bad_form("The form ends before its last boundary.");
}

}  // namespace server
