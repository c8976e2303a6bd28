#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "server/objects/s3_request.h"

namespace server {

// An object of the bucket, by its name behind the prefix.
struct StoredObject {
  std::string name{};
  std::time_t changed = 0;  // by the server's clock
};

struct ObjectPage {
  std::vector<StoredObject> objects{};
  std::time_t now = 0;  // by the server's clock
  bool is_last = true;
};

// Objects of one place in a bucket. Each call is one request and blocks until it ends; calls may be
// made on several threads.
class S3Client {
 public:
  explicit S3Client(S3Settings settings) : settings_(std::move(settings)) {}

  // Puts a whole object of at most 5 GiB.
  S3Result<void> put(const std::string& name, FileSlice bytes, const CallLimits& limits) const;
  // Gets the object from a byte on; `from` lies before its end.
  S3Result<void> get(const std::string& name, std::uint64_t from,
                     std::function<S3Result<void>(std::span<const char>)> on_bytes,
                     const CallLimits& limits) const;
  // Gets at most so many bytes from that one on.
  S3Result<std::string> get_piece(const std::string& name, std::uint64_t from, std::uint64_t most,
                                  const CallLimits& limits) const;
  // It is no error if there is no such object.
  S3Result<void> remove(const std::string& name, const CallLimits& limits) const;
  // Lists at most so many names behind one of them, in order.
  S3Result<ObjectPage> list(const std::string& behind, int most, const CallLimits& limits) const;

  // An object in parts: it is there when it is completed, and its parts take room until it is
  // completed or aborted. Parts count from 1; all but the last have 5 MiB or more.
  S3Result<std::string> begin_parts(const std::string& name, const CallLimits& limits) const;
  S3Result<std::string> put_part(const std::string& name, const std::string& upload, int number,
                                 FileSlice bytes, const CallLimits& limits) const;
  S3Result<void> complete_parts(const std::string& name, const std::string& upload,
                                const std::vector<std::string>& tags,
                                const CallLimits& limits) const;
  S3Result<void> abort_parts(const std::string& name, const std::string& upload,
                             const CallLimits& limits) const;

 private:
  S3Settings settings_;
};

}  // namespace server
