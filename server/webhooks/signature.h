#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "server/base/error.h"

namespace server {

// The secret that sender and receiver of webhooks share, by the rules of Standard Webhooks:
// "whsec_" and 24 to 64 bytes in base64.
class WebhookSecret {
 public:
  // Spaces and a line end around the text are ignored. The error is bad_config and does not repeat
  // the secret.
  static Result<WebhookSecret> parse(std::string_view text);
  // Errors: bad_config, input_not_found, input_unreadable.
  static Result<WebhookSecret> read(const std::filesystem::path& file);

  // Returns the value of the header webhook-signature: "v1," and the HMAC-SHA256 of
  // "id.timestamp.body". `timestamp` is in seconds since 1970.
  std::string sign(std::string_view id, std::int64_t timestamp, std::string_view body) const;

 private:
  explicit WebhookSecret(std::string key) : key_(std::move(key)) {}

  std::string key_;
};

}  // namespace server
