#pragma once

#include <string>

#include "server/base/error.h"

namespace server {

// The place of recordings in a bucket.
struct ObjectPlace {
  std::string endpoint{};  // https://s3.example.org, without a path
  std::string region{};
  std::string bucket{};
  std::string prefix{};  // empty, or it ends with '/'
};

// `address` is like s3://bucket/prefix. Without an endpoint it is Amazon's of the region. Letters
// that an address would have to escape are refused: clients of S3 differ in how they sign these.
// The error is bad_config.
Result<ObjectPlace> parse_object_place(const std::string& address, std::string endpoint,
                                       const std::string& region);

}  // namespace server
