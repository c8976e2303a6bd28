#include "server/api/tus_headers.h"

#include <fmt/format.h>

#include <boost/algorithm/string/case_conv.hpp>
#include <charconv>

#include "protocol/base64.h"
#include "server/api/tus_checksum.h"
#include "server/base/plain_name.h"

namespace server {
namespace {

constexpr char metadata_field[] = "upload-metadata";

std::string_view without_spaces(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

bool is_about_uploads(const Exchange& exchange) {
  const std::string_view path = exchange.path();
  return path == "/v1/uploads" || path.starts_with("/v1/uploads/");
}

bool speaks_tus(const Exchange& exchange) {
  return exchange.headers().count("tus-resumable") > 0;
}

http::verb meant_method(const Exchange& exchange) {
  constexpr char field[] = "x-http-method-override";
  const bool may_override = is_about_uploads(exchange) && exchange.method() == http::verb::post;
  if (!may_override || exchange.headers().count(field) == 0) return exchange.method();
  return http::string_to_verb(boost::to_upper_copy(std::string(exchange.headers()[field])));
}

FormProblem check_tus_extensions(const Exchange& exchange) {
  const http::fields& headers = exchange.headers();
  if (headers.count("upload-concat") > 0) {
    return invalid("upload-concat", "Uploads that are joined (concatenation) are not offered.",
                   "Send the recording as one upload; to tus-js-client say parallelUploads: 1.");
  }
  if (headers.count("upload-defer-length") > 0) {
    return invalid("upload-defer-length",
                   "Uploads without a length (creation-defer-length) are not offered.",
                   "Send Upload-Length when you create the upload.");
  }
  if (headers.count(tus_checksum_field) == 0) return std::nullopt;
  const auto checksum = parse_tus_checksum(headers[tus_checksum_field]);
  if (!checksum) return checksum.error();
  return std::nullopt;
}

Result<void> check_tus_version(const Exchange& exchange) {
  if (!is_about_uploads(exchange) || exchange.method() == http::verb::options) return {};
  const http::fields& headers = exchange.headers();
  if (!speaks_tus(exchange)) {
    const bool begins = headers.count("upload-length") + headers.count("upload-defer-length") > 0;
    if (exchange.method() != http::verb::post || !begins) return {};
    return Error{errc::unsupported_tus_version, "The field Tus-Resumable is missing.",
                 fmt::format("Send Tus-Resumable: {}.", tus_version)};
  }
  const std::string version(headers["tus-resumable"]);
  if (version == tus_version) return {};
  return Error{errc::unsupported_tus_version,
               fmt::format("This server does not speak tus {}.", version),
               fmt::format("Use version {}.", tus_version)};
}

boost::system::result<std::uint64_t, FormError> tus_number(const Exchange& exchange,
                                                           const char* field) {
  const std::string_view text = exchange.headers()[field];
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return number;
  return invalid(field,
                 text.empty() ? fmt::format("The field {} is missing.", field)
                              : fmt::format("The field {} is not a number of bytes.", field),
                 "Give it as digits.");
}

boost::system::result<std::string, FormError> tus_metadata(const Exchange& exchange) {
  constexpr std::size_t most_bytes = 4096;
  const std::string_view metadata = exchange.headers()[metadata_field];
  if (metadata.size() <= most_bytes) return std::string(metadata);
  return invalid(metadata_field,
                 fmt::format("The field {} has more than {} bytes.", metadata_field, most_bytes),
                 "Send less: filename is all that is used.");
}

boost::system::result<std::string, FormError> tus_file_name(std::string_view metadata) {
  while (!metadata.empty()) {
    const auto comma = metadata.find(',');
    const std::string_view pair = without_spaces(metadata.substr(0, comma));
    metadata.remove_prefix(comma == metadata.npos ? metadata.size() : comma + 1);
    const auto space = pair.find(' ');
    const std::string_view key = pair.substr(0, space);
    if (key != "filename" && key != "name") continue;
    const auto value = space == pair.npos ? "" : without_spaces(pair.substr(space));
    auto name = protocol::decode_base64(value);
    if (name) return plain_name(*name);
    return invalid(metadata_field, "The name of the file is not in Base64.",
                   "As in filename dGFsay5tcDM=");
  }
  return std::string();
}

}  // namespace server
