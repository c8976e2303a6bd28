#include "server/objects/object_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace server {
namespace {

constexpr std::string_view small_letters = "abcdefghijklmnopqrstuvwxyz0123456789";

bool has_only(std::string_view text, std::string_view letters) {
  return text.find_first_not_of(letters) == text.npos;
}

bool is_bucket(std::string_view name) {
  return name.size() >= 3 && name.size() <= 63 &&
         has_only(name, std::string(small_letters) + ".-") &&
         small_letters.find(name.front()) != name.npos &&
         small_letters.find(name.back()) != name.npos;
}

// Folders of names without "." and "..", which libcurl would resolve.
bool is_prefix(const std::string& prefix) {
  if (prefix.empty()) return true;
  const std::string whole = "/" + prefix;
  return prefix.size() <= 512 &&
         has_only(prefix, std::string(small_letters) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ/_.-") &&
         whole.find("//") == whole.npos && whole.find("/./") == whole.npos &&
         whole.find("/../") == whole.npos;
}

bool is_endpoint(std::string_view endpoint) {
  const auto scheme = endpoint.find("://");
  const auto name = endpoint.substr(0, scheme);
  if (scheme == endpoint.npos || (name != "https" && name != "http")) return false;
  const auto host = endpoint.substr(scheme + 3);
  return !host.empty() && has_only(host, std::string(small_letters) + ".-:[]");
}

Error wrong(std::string message, std::string fix) {
  return {errc::bad_config, std::move(message), std::move(fix)};
}

}  // namespace

Result<ObjectPlace> parse_object_place(const std::string& address, std::string endpoint,
                                       const std::string& region) {
  constexpr std::string_view scheme = "s3://";
  const auto slash = address.find('/', scheme.size());
  ObjectPlace place{.region = region};
  if (address.starts_with(scheme))
    place.bucket = address.substr(scheme.size(), slash - scheme.size());
  if (slash != address.npos) place.prefix = address.substr(slash + 1);
  if (!place.prefix.empty() && !place.prefix.ends_with('/')) place.prefix += '/';
  if (!is_bucket(place.bucket) || !is_prefix(place.prefix)) {
    return wrong(fmt::format("cluster.objects: \"{}\" is no bucket", address),
                 "Write it as s3://bucket/prefix, with letters, digits, '-', '_', '.' and '/'.");
  }
  if (region.empty() || !has_only(region, std::string(small_letters) + "-")) {
    return wrong(fmt::format("cluster.objects_region: \"{}\" is no region", region),
                 "Write it as eu-central-1; servers without regions take us-east-1.");
  }
  if (endpoint.ends_with('/')) endpoint.pop_back();
  place.endpoint =
      endpoint.empty() ? fmt::format("https://s3.{}.amazonaws.com", region) : std::move(endpoint);
  if (!is_endpoint(place.endpoint)) {
    return wrong(fmt::format("cluster.objects_endpoint: \"{}\" is no address", place.endpoint),
                 "Write it as https://s3.example.org:9000, without a path.");
  }
  return place;
}

}  // namespace server
