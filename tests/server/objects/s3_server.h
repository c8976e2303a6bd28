#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "server/objects/s3_client.h"
#include "tests/server/temporary_folder.h"

namespace server::test {

// versitygw, a server of S3 over a folder, for the tests of one program. It checks signatures and
// sums. scripts/s3_server installs it.
class S3Server {
 public:
  // Starts it at the first call.
  static S3Server& instance();
  S3Server(const S3Server&) = delete;
  ~S3Server();

  // Why there is none; empty: it runs.
  const std::string& why_not() const { return why_not_; }

  // Settings for a place in its bucket "recordings".
  S3Settings settings(const std::string& prefix) const;
  // The names of all objects of the bucket.
  std::vector<std::string> names() const;
  void clear() const;
  // The number of uploads in parts that are neither completed nor aborted.
  int unfinished() const;
  // The bytes of an object, which a test may change.
  std::filesystem::path file(const std::string& name) const;

  void stop();
  void start();
  // Stalls it, or lets it go on: connections are taken, and nothing is answered.
  void stall(bool is_stalled) const;

 private:
  S3Server();

  TemporaryFolder folder_{};
  std::filesystem::path program_{};
  std::string why_not_{};
  int port_ = 0;
  pid_t server_ = -1;
};

}  // namespace server::test
