#include "server/process/decoders.h"

namespace server {
namespace {

// Only Linux makes a fork that is the child of its parent's parent (CLONE_PARENT), and changes the
// limits of another process.
#if defined(__APPLE__)
constexpr bool has_fork_servers = false;
constexpr bool raises_limits = false;
#else
constexpr bool has_fork_servers = true;
constexpr bool raises_limits = true;
#endif

}  // namespace

Decoders::Decoders(std::filesystem::path program, bool require_sandbox, std::optional<int> large)
    : program_(std::move(program)), require_sandbox_(require_sandbox) {
  if (raises_limits && large) memory_ = std::make_shared<DecoderMemory>(*large);
}

Result<std::unique_ptr<Decoder>> Decoders::spawn(asio::any_io_executor executor,
                                                 const DecoderOptions& options,
                                                 platform::UniqueFd input, SoundCopy copy) {
  auto* const server = fork_server(executor);
  auto decoder = Decoder::spawn(executor, program_, server, options, std::move(input), copy,
                                require_sandbox_, memory_);
  if (decoder) (*decoder)->keep(turns_->watch(executor, (*decoder)->pid(), options.owner));
  return decoder;
}

ForkServer* Decoders::fork_server(const asio::any_io_executor& executor) {
  if (!has_fork_servers || std::exchange(is_first_, false)) return nullptr;
  if (!server_ || server_->is_gone()) {
    server_.reset();
    auto started = ForkServer::spawn(executor, program_);
    if (started) server_.emplace(*std::move(started));
  }
  return server_ && server_->is_ready() ? &*server_ : nullptr;
}

}  // namespace server
