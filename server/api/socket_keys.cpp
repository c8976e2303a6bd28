#include "server/api/socket_keys.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <string_view>
#include <vector>

namespace server {
namespace {

constexpr char azure_key[] = "api-key";  // the field of Azure OpenAI's clients
constexpr std::string_view openai_key = "openai-insecure-api-key.";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// A field with a list may come several times, which means the same as one with all of it.
std::vector<std::string_view> offers(const http::fields& headers) {
  std::vector<std::string_view> list;
  const auto range = headers.equal_range(http::field::sec_websocket_protocol);
  for (auto field = range.first; field != range.second; ++field) {
    const std::string_view value = field->value();
    for (std::size_t begin = 0; begin <= value.size();) {
      const auto end = std::min(value.find(',', begin), value.size());
      const auto one = trimmed(value.substr(begin, end - begin));
      if (!one.empty()) list.push_back(one);
      begin = end + 1;
    }
  }
  return list;
}

}  // namespace

OfferedSubprotocols offered_subprotocols(const http::fields& headers) {
  const auto list = offers(headers);
  if (list.size() == 2 && (list[0] == "token" || list[0] == "bearer")) {
    return {std::string(list[0]), std::string(list[1])};
  }
  OfferedSubprotocols found;
  for (const auto one : list) {
    if (one == "realtime") found.answer = one;
    if (one.starts_with(openai_key)) found.key = one.substr(openai_key.size());
  }
  return found;
}

std::string sent_key(const http::fields& headers) {
  const auto count = headers.count(http::field::authorization);
  if (count == 0 && headers.count(azure_key) == 1) return std::string(headers[azure_key]);
  if (count == 0 && headers.count(http::field::upgrade) > 0) {
    return offered_subprotocols(headers).key;
  }
  const std::string_view value = headers[http::field::authorization];
  for (const std::string_view scheme : {"Bearer ", "Token "}) {
    const bool is_said = boost::beast::iequals(value.substr(0, scheme.size()), scheme);
    if (count == 1 && is_said) return std::string(value.substr(scheme.size()));
  }
  return "";
}

Result<Principal> authenticate(const ApiKeys& keys, const http::fields& headers) {
  const auto count = headers.count(http::field::authorization);
  constexpr std::string_view scheme = "Token ";
  const std::string_view value = headers[http::field::authorization];
  if (count == 1 && boost::beast::iequals(value.substr(0, scheme.size()), scheme)) {
    return keys.find(value.substr(scheme.size()));
  }
  if (count == 0 && headers.count(azure_key) == 1) return keys.find(headers[azure_key]);
  if (count == 0 && headers.count(http::field::upgrade) > 0) {
    const auto key = offered_subprotocols(headers).key;
    if (!key.empty()) return keys.find(key);
  }
  return keys.authenticate(headers);
}

}  // namespace server
