#include "server/http/key_proof.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

namespace server {
namespace {

constexpr std::size_t id_bytes = 2;
constexpr std::size_t nonce_digits = 32;
constexpr std::string_view hex_digits = "0123456789abcdef";

std::string hex_of(std::span<const unsigned char> bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    text += hex_digits[byte >> 4];
    text += hex_digits[byte & 15];
  }
  return text;
}

}  // namespace

std::string key_id(const KeyHash& key) {
  return hex_of(std::span(key).first(id_bytes));
}

std::string key_proof(const KeyHash& key, std::string_view nonce, std::string_view address) {
  std::string text = "scribed proof 1\n";
  text.append(nonce).append("\n").append(address);
  std::array<unsigned char, 32> code{};
  unsigned size = 0;
  const auto* done =
      ::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), code.data(), &size);
  if (done == nullptr || size != code.size()) throw std::runtime_error("[keys] HMAC has failed");
  return hex_of(code);
}

bool is_proof_nonce(std::string_view text) {
  return text.size() == nonce_digits && text.find_first_not_of(hex_digits) == text.npos;
}

}  // namespace server
