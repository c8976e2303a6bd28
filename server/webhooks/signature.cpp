#include "server/webhooks/signature.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "protocol/base64.h"

namespace server {
namespace {

constexpr std::string_view prefix = "whsec_";
constexpr std::size_t min_bytes = 24;
constexpr std::size_t max_bytes = 64;
constexpr std::size_t max_file_bytes = 1024;

Error invalid() {
  return {errc::bad_config, "the secret for webhooks is not whsec_ and 24 to 64 bytes in base64",
          "Make one: echo whsec_$(openssl rand -base64 32)"};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto first = text.find_first_not_of(blank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

}  // namespace

Result<WebhookSecret> WebhookSecret::parse(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with(prefix)) return invalid();
  auto key = protocol::decode_base64(text.substr(prefix.size()));
  if (!key || key->size() < min_bytes || key->size() > max_bytes) return invalid();
  return WebhookSecret(*std::move(key));
}

Result<WebhookSecret> WebhookSecret::read(const std::filesystem::path& file) {
  std::error_code failure;
  if (!std::filesystem::exists(file, failure)) {
    return Error{errc::input_not_found, file.string() + " does not exist",
                 "Check webhooks.secret_file."};
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text(max_file_bytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad()) {
    return Error{errc::input_unreadable, "cannot read " + file.string(), "Check its permissions."};
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return parse(text);
}

std::string WebhookSecret::sign(std::string_view id, std::int64_t timestamp,
                                std::string_view body) const {
  const std::string content = fmt::format("{}.{}.{}", id, timestamp, body);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (::HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
             reinterpret_cast<const unsigned char*>(content.data()), content.size(), digest.data(),
             &size) == nullptr) {
    throw std::runtime_error("OpenSSL cannot compute HMAC-SHA256");
  }
  return "v1," + protocol::encode_base64({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace server
