#include "server/api/tus_headers.h"

#include <fmt/format.h>

#include <charconv>

#include "protocol/base64.h"
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

bool speaks_tus(const Exchange& exchange) {
  return exchange.headers().count("tus-resumable") > 0;
}

Result<void> check_tus_version(const Exchange& exchange) {
  const std::string version(exchange.headers()["tus-resumable"]);
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
