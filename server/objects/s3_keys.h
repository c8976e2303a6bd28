#pragma once

#include <string>

#include "server/base/error.h"

namespace server {

// What requests to a bucket are signed with.
struct S3Keys {
  std::string id{};
  std::string secret{};
  std::string token{};  // of keys that hold for a while; empty: none
};

// Where the keys come from: a file, or what the environment had at the start.
struct S3KeySource {
  std::string file{};
  S3Keys keys{};
};

// Returns the keys. A file is read each time, so whoever renews it need not restart scribed; it is
// of the form that Amazon's programs have: aws_access_key_id = …, aws_secret_access_key = …,
// aws_session_token = …, below [default]. The error is bad_config.
Result<S3Keys> read_keys(const S3KeySource& source);

}  // namespace server
