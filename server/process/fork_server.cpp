#include "server/process/fork_server.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "platform/child_environment.h"
#include "platform/fd_socket.h"
#include "server/base/exhausted.h"
#include "server/base/private_fds.h"

namespace server {
namespace {

namespace decoding = protocol::decoder;

constexpr int answer_limit_ms = 500;

}  // namespace

Result<ForkServer> ForkServer::spawn(asio::any_io_executor executor,
                                     const std::filesystem::path& program) {
  int ends[2];
  if (private_socket_pair(ends) != 0) {
    return exhausted_or(
        errno, {errc::internal, std::string("cannot make a socket: ") + std::strerror(errno), ""});
  }
  platform::UniqueFd ours(ends[0]), theirs(ends[1]);
  // The forked decoders inherit this stderr, because a decoder must not write to our log.
  const platform::UniqueFd null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  auto process = ChildProcess::spawn(std::move(executor),
                                     {program,
                                      {"--fork-server"},
                                      {{.ours = theirs.get(), .childs = STDIN_FILENO},
                                       {.ours = null.get(), .childs = STDERR_FILENO}},
                                      platform::child_environment(platform::ChildKind::decoder)});
  if (!process) return process.error();
  return ForkServer(*std::move(process), std::move(ours));
}

bool ForkServer::is_ready() {
  if (is_gone() || is_ready_) return is_ready_;
  try {
    is_ready_ = answer(0).has_value();
  } catch (const std::system_error&) {
    give_up();
  }
  return is_ready_;
}

std::optional<pid_t> ForkServer::fork(const std::vector<std::string>& arguments,
                                      std::span<const int> ours) {
  std::string text;
  for (const auto& argument : arguments) text.append(argument).push_back('\0');
  try {
    // A failure shows below: where the server is gone, there is no answer.
    platform::send_frame(socket_.get(), text, ours);
    if (const auto pid = answer(answer_limit_ms)) return pid;
  } catch (const std::system_error&) {
  }
  give_up();
  return std::nullopt;
}

// Returns the server's next answer, if it comes in time.
std::optional<pid_t> ForkServer::answer(int limit_ms) {
  pollfd waiting{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = ::poll(&waiting, 1, limit_ms);
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) return std::nullopt;
  const auto frame = platform::receive_frame(socket_.get());
  decoding::ForkAnswer answer{.pid = -1, .error_number = EPIPE};
  if (frame && frame->payload.size() == sizeof answer) {
    std::memcpy(&answer, frame->payload.data(), sizeof answer);
  }
  if (answer.error_number != 0) {
    throw std::system_error(answer.error_number, std::generic_category(), "[fork_server]");
  }
  return answer.pid;
}

void ForkServer::give_up() {
  process_.leave();
  socket_.reset();
  is_ready_ = false;
}

}  // namespace server
