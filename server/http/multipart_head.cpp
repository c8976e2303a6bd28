#include "server/http/multipart_head.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

#include "server/base/plain_name.h"
#include "server/http/header_params.h"
#include "server/http/percent.h"

namespace server {
namespace {

using boost::beast::iequals;

// UTF-8''na%C3%AFve.wav
std::optional<std::string> decode_extended(std::string_view text) {
  const auto first = text.find('\'');
  const auto second = first == text.npos ? text.npos : text.find('\'', first + 1);
  if (second == text.npos || !iequals(text.substr(0, first), "UTF-8")) return std::nullopt;
  text.remove_prefix(second + 1);
  return decode_percent(text);
}

Result<void> read_disposition(std::string_view value, PartHead& head) {
  const auto params = parse_header_params(value);
  if (!params || params->value != "form-data") {
    return bad_form("A part of the form has no valid content-disposition.");
  }
  const std::string* name = params->find("name");
  if (!name || std::ranges::any_of(*name, is_control)) {
    return bad_form("A part of the form has no valid name.");
  }
  head.name = *name;
  if (const std::string* filename = params->find("filename")) head.filename = *filename;
  if (const std::string* filename = params->find("filename*")) {
    head.filename = decode_extended(*filename);
    if (!head.filename)
      return bad_form("A part of the form has a file name that cannot be decoded.");
  }
  if (head.filename) head.filename = plain_name(*head.filename);
  return {};
}

bool is_field_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char byte) {
    return byte > 0x20 && byte < 0x7f &&
           std::string_view("()<>@,;:\\\"/[]?={}").find(byte) == std::string_view::npos;
  });
}

Result<void> read_field(std::string_view name, std::string_view value, PartHead& head,
                        bool& has_disposition) {
  if (iequals(name, "content-disposition")) {
    if (has_disposition) return bad_form("A part of the form has two content-dispositions.");
    has_disposition = true;
    return read_disposition(value, head);
  }
  if (iequals(name, "content-type")) head.content_type = value;
  const bool is_coded = iequals(name, "content-transfer-encoding") && !iequals(value, "binary") &&
                        !iequals(value, "8bit") && !iequals(value, "7bit");
  if (is_coded) return bad_form("A part of the form is encoded. Bytes are taken as they are.");
  return {};
}

}  // namespace

Error bad_form(const char* message) {
  return {errc::bad_request, message, "Send a form as curl -F and HTTP libraries make it."};
}

Result<PartHead> parse_part_head(std::string_view lines) {
  PartHead head;
  bool has_disposition = false;
  while (!lines.empty()) {
    const auto line = lines.substr(0, lines.find("\r\n"));
    lines.remove_prefix(std::min(line.size() + 2, lines.size()));
    const auto colon = std::min(line.find(':'), line.size());
    auto value = line.substr(std::min(colon + 1, line.size()));
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    value = value.substr(0, value.find_last_not_of(" \t") + 1);
    const bool has_controls =
        std::ranges::any_of(value, [](char byte) { return is_control(byte) && byte != '\t'; });
    if (colon == line.size() || !is_field_name(line.substr(0, colon)) || has_controls) {
      return bad_form("A part of the form has a header that is not valid.");
    }
    const auto read = read_field(line.substr(0, colon), value, head, has_disposition);
    if (!read) return read.error();
  }
  if (!has_disposition) return bad_form("A part of the form has no content-disposition.");
  return head;
}

}  // namespace server
