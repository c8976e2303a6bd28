#include "engine/media/fork_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "platform/fd_socket.h"
#include "protocol/decoder_forks.h"

namespace engine::media {
namespace {

namespace wire = protocol::decoder;

constexpr int idle_limit_ms = 60'000;
constexpr auto most_passed = wire::fork_descriptors.size();
// The name that ps and top show for this process; forks that decode keep the program's name.
constexpr const char* server_name = "decode-forks";
constexpr const char* decoder_name = "scribed-decode";

bool wait_for_request(int socket) {
  pollfd waiting{.fd = socket, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = ::poll(&waiting, 1, idle_limit_ms);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

std::vector<const char*> arguments_of(const std::string& text) {
  std::vector<const char*> arguments;
  for (std::size_t at = 0; at < text.size(); at = text.find('\0', at) + 1) {
    arguments.push_back(&text[at]);
  }
  return arguments;
}

bool is_request(const platform::Frame& frame) {
  const auto passed = frame.descriptors.size();
  return passed >= wire::least_fork_descriptors && passed <= most_passed &&
         frame.payload.ends_with('\0');
}

bool answer(int socket, const wire::ForkAnswer& what) {
  return platform::send_frame(socket, {reinterpret_cast<const char*>(&what), sizeof what});
}

// Moves the descriptors to their numbers, and leaves only these and standard error open.
bool take_descriptors(const platform::Frame& request) {
  constexpr int above = *std::ranges::max_element(wire::fork_descriptors) + 1;
  const auto passed = request.descriptors.size();
  std::array<int, most_passed> copies{};  // the source of one may be the target of another
  for (std::size_t i = 0; i < passed; ++i) {
    copies[i] = ::fcntl(request.descriptors[i].get(), F_DUPFD_CLOEXEC, above);
    if (copies[i] < 0) return false;
  }
  for (std::size_t i = 0; i < passed; ++i) {
    if (::dup2(copies[i], wire::fork_descriptors[i]) < 0) return false;
  }
  const auto last = static_cast<unsigned>(wire::fork_descriptors[passed - 1]);
  return ::close_range(last + 1, ~0U, 0) == 0;
}

// Forks, but the new process is our parent's child, so that it is awaited, reaped and ended like
// one that was started by exec. This process has a single thread, and nothing in it needs the C
// library to know of the fork.
pid_t fork_for_parent() {
  return static_cast<pid_t>(::syscall(SYS_clone, CLONE_PARENT, nullptr, nullptr, nullptr, nullptr));
}

}  // namespace

int serve_forks(int socket, const std::function<int(std::span<const char* const>)>& decode) {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_NAME, server_name);
  bool goes_on = answer(socket, {});
  while (goes_on && wait_for_request(socket)) {
    const auto request = platform::receive_frame(socket);
    if (!request || !is_request(*request)) break;
    const auto arguments = arguments_of(request->payload);
    const pid_t pid = fork_for_parent();
    if (pid == 0) {
      ::prctl(PR_SET_NAME, decoder_name);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent || !take_descriptors(*request)) ::_exit(EXIT_FAILURE);
      const int status = decode(arguments);
      std::fflush(nullptr);
      ::_exit(status);
    }
    goes_on = answer(socket, {.pid = pid, .error_number = pid < 0 ? errno : 0});
  }
  return EXIT_SUCCESS;
}

}  // namespace engine::media
