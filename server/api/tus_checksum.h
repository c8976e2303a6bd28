#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/api/form_values.h"

struct evp_md_ctx_st;

// The checksum of a part of an upload, as tus 1.0 has it: "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=".
namespace server {

inline constexpr char tus_checksum_field[] = "upload-checksum";
inline constexpr char tus_checksum_algorithms[] = "sha1,sha256,md5";

struct TusChecksum {
  std::string algorithm{};  // one of the above
  std::string digest{};     // bytes
};

// Reads a field Upload-Checksum. The error is usage: nobody knows the algorithm, or it is no
// checksum of it.
boost::system::result<TusChecksum, FormError> parse_tus_checksum(std::string_view field);

// Compares a stream of bytes with a checksum.
class TusChecker {
 public:
  explicit TusChecker(TusChecksum checksum);
  void update(std::span<const char> bytes);
  // Returns whether the checksum matches. Call it once, last.
  bool finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };

  TusChecksum checksum_;
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace server
