#include "server/api/tus_checksum.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "protocol/base64.h"

namespace server {
namespace {

const EVP_MD* digest_of(std::string_view algorithm) {
  if (algorithm == "sha1") return EVP_sha1();
  if (algorithm == "sha256") return EVP_sha256();
  return algorithm == "md5" ? EVP_md5() : nullptr;
}

void check_openssl(int result) {
  if (result != 1) throw std::runtime_error("[tus] OpenSSL refused to hash");
}

}  // namespace

boost::system::result<TusChecksum, FormError> parse_tus_checksum(std::string_view field) {
  const auto space = std::min(field.find(' '), field.size());
  TusChecksum checksum{.algorithm = std::string(field.substr(0, space))};
  const EVP_MD* known = digest_of(checksum.algorithm);
  if (known == nullptr) {
    return invalid(tus_checksum_field, "There is no checksum of this algorithm here.",
                   std::string("Use one of ") + tus_checksum_algorithms + ".");
  }
  auto digest = protocol::decode_base64(field.substr(std::min(space + 1, field.size())));
  if (!digest || digest->size() != static_cast<std::size_t>(EVP_MD_get_size(known))) {
    return invalid(tus_checksum_field, "The checksum is none of its algorithm in Base64.",
                   "As in sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=");
  }
  checksum.digest = *std::move(digest);
  return checksum;
}

void TusChecker::Free::operator()(evp_md_ctx_st* context) const noexcept {
  EVP_MD_CTX_free(context);
}

TusChecker::TusChecker(TusChecksum checksum)
    : checksum_(std::move(checksum)), context_(EVP_MD_CTX_new()) {
  check_openssl(EVP_DigestInit_ex(context_.get(), digest_of(checksum_.algorithm), nullptr));
}

void TusChecker::update(std::span<const char> bytes) {
  check_openssl(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

bool TusChecker::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
  unsigned int length = 0;
  check_openssl(EVP_DigestFinal_ex(context_.get(), raw.data(), &length));
  return std::string_view(reinterpret_cast<const char*>(raw.data()), length) == checksum_.digest;
}

}  // namespace server
