#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "tests/server/temporary_folder.h"

namespace server::test {

// A server of PostgreSQL for the tests of one program: in a folder of its own, without TCP and
// without syncs. It ends with the program, however that ends. Root cannot run it, so it is another
// user's then.
class PostgresCluster {
 public:
  // Starts it at the first call.
  static PostgresCluster& instance();

  PostgresCluster(const PostgresCluster&) = delete;
  ~PostgresCluster();

  // Why there is none; empty: it runs.
  const std::string& why_not() const { return why_not_; }
  std::string address() const;
  const std::filesystem::path& folder() const { return folder_.path(); }

  // Ends the server as a power failure would, and starts it anew after a while.
  void crash_and_restart(std::chrono::milliseconds away = {});

 private:
  PostgresCluster();

  void start();
  void stop(int signal);

  TemporaryFolder folder_{};
  std::filesystem::path programs_{};
  std::string why_not_{};
  pid_t server_ = -1;
};

}  // namespace server::test
