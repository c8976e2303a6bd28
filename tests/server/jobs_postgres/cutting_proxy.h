#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "platform/unique_fd.h"
#include "tests/server/temporary_folder.h"

namespace server::test {

// Stands between a store and its server, and loses a commit, or the answer to it: the client's
// connection ends, and the server has not got the commit, or has. Or it hangs, as a server does
// whose machine still takes what is sent.
class CuttingProxy {
 public:
  // `folder` has the server's socket.
  explicit CuttingProxy(std::filesystem::path folder);
  CuttingProxy(const CuttingProxy&) = delete;
  ~CuttingProxy();

  std::string address() const;
  enum class Loss { none, answer, commit };

  // Loses the next commit, or the answer to it.
  void cut(Loss loss = Loss::answer) { loss_ = loss; }
  // From now on nothing is passed on, or all is again.
  void hang(bool hangs = true) { hangs_ = hangs; }

 private:
  void serve();
  void carry(int client, int server);

  std::filesystem::path server_;
  TemporaryFolder folder_{};
  platform::UniqueFd listener_{};
  std::atomic<Loss> loss_ = Loss::none;
  std::atomic<bool> hangs_ = false;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace server::test
