#include "server/http/static_content.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/sha.h>

#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace server {
namespace {

// Half of a SHA-256 is enough to tell any two contents apart.
std::string etag_of(std::string_view body) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(body.data()), body.size(), digest.data());
  return fmt::format("\"{:02x}\"", fmt::join(std::span(digest).first<16>(), ""));
}

// Returns whether a list of tags, as in If-None-Match, holds this one. Weak tags count.
bool names(std::string_view list, std::string_view etag) {
  return list == "*" || list.find(etag) != list.npos;
}

}  // namespace

StaticContent::StaticContent(std::string body, std::string content_type, Headers headers)
    : response_{.body = std::move(body),
                .content_type = std::move(content_type),
                .headers = std::move(headers)},
      etag_(etag_of(response_.body)) {
  response_.headers.emplace_back("etag", etag_);
  // Browsers may keep the content, but revalidate it each time.
  response_.headers.emplace_back("cache-control", "no-cache");
}

Response StaticContent::answer(const http::fields& request) const {
  if (!names(request[http::field::if_none_match], etag_)) return response_;
  return {.status = http::status::not_modified, .headers = response_.headers};
}

}  // namespace server
