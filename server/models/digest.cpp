#include "server/models/digest.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <vector>

#include "platform/unique_fd.h"

namespace server {

namespace {

void check(int openssl_result) {
  if (openssl_result != 1) throw std::runtime_error("[store] OpenSSL refused to hash");
}

}  // namespace

void Hasher::Free::operator()(evp_md_ctx_st* context) const noexcept {
  EVP_MD_CTX_free(context);
}

Hasher::Hasher(Digest::Kind kind, std::uint64_t size) : context_(EVP_MD_CTX_new()) {
  const bool git = kind == Digest::Kind::git_blob_sha1;
  check(EVP_DigestInit_ex(context_.get(), git ? EVP_sha1() : EVP_sha256(), nullptr));
  if (!git) return;
  const std::string header = "blob " + std::to_string(size);
  update({header.c_str(), header.size() + 1});
}

void Hasher::update(std::span<const char> bytes) {
  check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::string Hasher::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
  unsigned int length = 0;
  check(EVP_DigestFinal_ex(context_.get(), raw.data(), &length));
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) {
    hex += "0123456789abcdef"[raw[i] >> 4];
    hex += "0123456789abcdef"[raw[i] & 15];
  }
  return hex;
}

StoreResult<std::string> hash_file(const std::filesystem::path& file, Digest::Kind kind,
                                   std::stop_token stop,
                                   const std::function<void(std::uint64_t)>& on_bytes) {
  const platform::UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0) {
    return system_error("cannot read " + file.string(), errno);
  }
  Hasher hasher(kind, static_cast<std::uint64_t>(info.st_size));
  std::vector<char> buffer(1 << 20);
  std::uint64_t done = 0;
  while (true) {
    if (stop.stop_requested()) return StoreError{StoreErrc::cancelled, "stopped while hashing", ""};
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("cannot read " + file.string(), errno);
    if (got == 0) return hasher.finish();
    hasher.update({buffer.data(), static_cast<std::size_t>(got)});
    done += static_cast<std::uint64_t>(got);
    if (on_bytes) on_bytes(done);
  }
}

}  // namespace server
