#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "platform/unique_fd.h"
#include "server/process/decoder.h"
#include "server/process/fork_server.h"

namespace server {

// Starts a decoder for each input. Executing scribed-decode takes 40 ms, most of it the dynamic
// linker with FFmpeg's libraries: more than many a short clip takes to decode. So from the second
// input on a fork server is started for those that follow. It is used on one thread.
class Decoders {
 public:
  // With `require_sandbox` no decoder may work without its sandbox. At most `large` decoders have
  // much memory at once; by default each may.
  explicit Decoders(std::filesystem::path program, bool require_sandbox = false,
                    std::optional<int> large = {});

  // Starts a decoder for `input`, which is read from its current offset.
  Result<std::unique_ptr<Decoder>> spawn(asio::any_io_executor executor,
                                         const DecoderOptions& options, platform::UniqueFd input,
                                         SoundCopy copy = {});

 private:
  ForkServer* fork_server(const asio::any_io_executor& executor);  // nullptr if it is not ready

  std::filesystem::path program_;
  bool require_sandbox_;
  std::shared_ptr<DecoderMemory> memory_{};
  std::shared_ptr<DecoderTurns> turns_ = std::make_shared<DecoderTurns>();
  std::optional<ForkServer> server_{};
  bool is_first_ = true;
};

}  // namespace server
