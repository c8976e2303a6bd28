#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "protocol/decoder_forks.h"
#include "server/process/child_process.h"

namespace server {

// A scribed-decode that forks others (protocol/decoder_forks.h). It ends by itself after a minute
// without requests.
class ForkServer {
 public:
  static Result<ForkServer> spawn(asio::any_io_executor executor,
                                  const std::filesystem::path& program);

  // Returns false until the server has reported that it is ready, and for ever when it is gone.
  bool is_ready();
  bool is_gone() const { return !socket_; }

  // Forks a decoder with these descriptors as its 0, 1, 3 and, where there are four, 4, and waits
  // for the answer, which takes about a millisecond. Empty if none comes in time; then the server
  // is gone.
  std::optional<pid_t> fork(const std::vector<std::string>& arguments, std::span<const int> ours);

 private:
  ForkServer(ChildProcess process, platform::UniqueFd socket)
      : process_(std::move(process)), socket_(std::move(socket)) {}
  std::optional<pid_t> answer(int limit_ms);  // throws std::system_error when the server is gone
  void give_up();

  ChildProcess process_;
  platform::UniqueFd socket_;
  bool is_ready_ = false;
};

}  // namespace server
