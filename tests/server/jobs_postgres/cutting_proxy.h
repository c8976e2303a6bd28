#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "platform/unique_fd.h"
#include "tests/server/temporary_folder.h"

namespace server::test {

// Stands between a store and its server, and loses the answer to a commit: the server gets it, and
// the client's connection ends.
class CuttingProxy {
 public:
  // `folder` has the server's socket.
  explicit CuttingProxy(std::filesystem::path folder);
  CuttingProxy(const CuttingProxy&) = delete;
  ~CuttingProxy();

  std::string address() const;
  // Loses the answer to the next commit.
  void cut() { is_to_cut_ = true; }

 private:
  void serve();
  void carry(int client, int server);

  std::filesystem::path server_;
  TemporaryFolder folder_{};
  platform::UniqueFd listener_{};
  std::atomic<bool> is_to_cut_ = false;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace server::test
