#pragma once

#include <string>

#include "server/http/exchange.h"

namespace server {

// Content that stays the same as long as this program runs: a page, its files, a description.
// Browsers and proxies may keep it, and ask by its ETag whether it is still that (RFC
// 9110, 13.1.2).
class StaticContent {
 public:
  // `headers` are part of every answer.
  StaticContent(std::string body, std::string content_type, Headers headers = {});

  // Returns 304 without a body where `request` names the ETag, else 200 with all of the content.
  Response answer(const http::fields& request) const;

 private:
  Response response_;
  std::string etag_;
};

}  // namespace server
