#include "engine/media/fork_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "protocol/decoder_forks.h"

namespace engine::media {
namespace {

namespace wire = protocol::decoder;

constexpr int idle_limit_ms = 60'000;
constexpr auto passed = wire::fork_descriptors.size();
// Shown by ps and top in place of the program's name, which is left to those that decode.
constexpr const char* server_name = "decode-forks";
constexpr const char* decoder_name = "scribed-decode";

struct Request {
  std::vector<char> text{};               // the arguments, each with its '\0'
  std::array<int, passed> descriptors{};  // ours; above those that they are to become
};

bool wait_for_request(int socket) {
  pollfd waiting{.fd = socket, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = ::poll(&waiting, 1, idle_limit_ms);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

// Nothing at the end, and after anything that is no request.
std::optional<Request> receive(int socket) {
  Request request;
  request.text.resize(wire::max_fork_request_bytes);
  iovec data{request.text.data(), request.text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof request.descriptors)> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const auto size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  const cmsghdr* header = size > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header == nullptr || header->cmsg_len != CMSG_LEN(sizeof request.descriptors) ||
      (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
    return std::nullopt;
  }
  std::memcpy(request.descriptors.data(), CMSG_DATA(header), sizeof request.descriptors);
  request.text.resize(static_cast<std::size_t>(size));
  if (request.text.back() != '\0') return std::nullopt;
  return request;
}

std::vector<const char*> arguments_of(const Request& request) {
  std::vector<const char*> arguments;
  for (auto at = request.text.begin(); at != request.text.end();
       at = std::find(at, request.text.end(), '\0') + 1) {
    arguments.push_back(&*at);
  }
  return arguments;
}

// Only these and standard error are left open.
bool take_descriptors(const Request& request) {
  constexpr int above = *std::ranges::max_element(wire::fork_descriptors) + 1;
  std::array<int, passed> copies{};  // one's source may be another's target
  for (std::size_t i = 0; i < passed; ++i) {
    copies[i] = ::fcntl(request.descriptors[i], F_DUPFD_CLOEXEC, above);
    if (copies[i] < 0) return false;
  }
  for (std::size_t i = 0; i < passed; ++i) {
    if (::dup2(copies[i], wire::fork_descriptors[i]) < 0) return false;
  }
  return ::close_range(above, ~0U, 0) == 0;
}

// As fork(), but the new process is our parent's child, so that it is awaited, reaped and ended as
// one that was started by exec. This process has a single thread, and nothing in it needs the
// C library to know of the fork.
pid_t fork_for_parent() {
  return static_cast<pid_t>(::syscall(SYS_clone, CLONE_PARENT, nullptr, nullptr, nullptr, nullptr));
}

}  // namespace

int serve_forks(int socket, const std::function<int(std::span<const char* const>)>& decode) {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_NAME, server_name);
  wire::ForkAnswer answer;
  while (::send(socket, &answer, sizeof answer, MSG_NOSIGNAL) == sizeof answer &&
         wait_for_request(socket)) {
    const auto request = receive(socket);
    if (!request) break;
    const auto arguments = arguments_of(*request);
    const pid_t pid = fork_for_parent();
    if (pid == 0) {
      ::prctl(PR_SET_NAME, decoder_name);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent || !take_descriptors(*request)) ::_exit(EXIT_FAILURE);
      const int status = decode(arguments);
      std::fflush(nullptr);
      ::_exit(status);
    }
    answer = {.pid = pid, .error_number = pid < 0 ? errno : 0};
    for (const int descriptor : request->descriptors) ::close(descriptor);
  }
  return EXIT_SUCCESS;
}

}  // namespace engine::media
