#include "tests/conformance/request_state.h"

#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "protocol/base64.h"

namespace conformance {
namespace {

constexpr std::chrono::minutes lifetime{10};

long long now_s() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

}  // namespace

RequestState::RequestState() : key_(32, '\0') {
  if (RAND_bytes(reinterpret_cast<unsigned char*>(key_.data()), static_cast<int>(key_.size())) !=
      1) {
    throw std::runtime_error("no random bytes");
  }
}

std::string RequestState::sign(const std::string& text) const {
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
  unsigned int size = 0;
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac.data(), &size);
  return {reinterpret_cast<const char*>(mac.data()), size};
}

std::string RequestState::seal(const std::string& tool, nlohmann::json round) const {
  const nlohmann::json body{{"tool", tool},
                            {"round", std::move(round)},
                            {"until", now_s() + lifetime / std::chrono::seconds(1)}};
  const std::string text = body.dump();
  return protocol::encode_base64(text) + "." + protocol::encode_base64(sign(text));
}

std::optional<nlohmann::json> RequestState::open(const std::string& tool,
                                                 const std::string& text) const {
  const auto dot = text.find('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto body = protocol::decode_base64(text.substr(0, dot));
  const auto mac = protocol::decode_base64(text.substr(dot + 1));
  if (!body || !mac) return std::nullopt;
  const std::string right = sign(*body);
  const bool same =
      mac->size() == right.size() && CRYPTO_memcmp(mac->data(), right.data(), right.size()) == 0;
  if (!same) return std::nullopt;
  const auto json = nlohmann::json::parse(*body);
  if (json["tool"] != tool || json["until"] < now_s()) return std::nullopt;
  return json["round"];
}

}  // namespace conformance
