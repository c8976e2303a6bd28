#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "server/models/error.h"

struct evp_md_ctx_st;

namespace server {

// The expected hash of a file. Hubs name large files by sha256 and small ones by the hash that git
// gives them: sha1 over "blob <size>\0" and the bytes.
struct Digest {
  enum class Kind { sha256, git_blob_sha1 };
  Kind kind = Kind::sha256;
  std::string hex{};  // lower case

  friend bool operator==(const Digest&, const Digest&) = default;
};

// Computes the hash of a stream step by step.
class Hasher {
 public:
  // `size` is the number of bytes that will come; git's hash begins with it.
  Hasher(Digest::Kind kind, std::uint64_t size);
  void update(std::span<const char> bytes);
  std::string finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// Hashes a file on the disk. `on_bytes` gets the number of bytes that are done, a few times a
// second.
StoreResult<std::string> hash_file(const std::filesystem::path& file, Digest::Kind kind,
                                   std::stop_token stop = {},
                                   const std::function<void(std::uint64_t)>& on_bytes = {});

}  // namespace server
