#include "server/process/fork_server.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace server {
namespace {

namespace wire = protocol::decoder;

using Descriptors = std::array<int, wire::fork_descriptors.size()>;

constexpr int answer_limit_ms = 500;

bool send_request(int socket, std::string text, const Descriptors& ours) {
  iovec data{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(Descriptors))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof ours);
  std::memcpy(CMSG_DATA(header), ours.data(), sizeof ours);
  return ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(text.size());
}

}  // namespace

Result<ForkServer> ForkServer::spawn(asio::any_io_executor executor,
                                     const std::filesystem::path& program) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{errc::internal, std::string("cannot make a socket: ") + std::strerror(errno), ""};
  }
  platform::UniqueFd ours(ends[0]), theirs(ends[1]);
  auto process = ChildProcess::spawn(
      std::move(executor), {program, {"--fork-server"}, {{.ours = theirs.get(), .childs = 0}}});
  if (!process) return process.error();
  return ForkServer(*std::move(process), std::move(ours));
}

bool ForkServer::is_ready() {
  if (is_gone() || is_ready_) return is_ready_;
  is_ready_ = answer(0).has_value();
  return is_ready_;
}

std::optional<pid_t> ForkServer::fork(const std::vector<std::string>& arguments,
                                      const Descriptors& ours) {
  std::string text;
  for (const auto& argument : arguments) text.append(argument).push_back('\0');
  if (text.size() > wire::max_fork_request_bytes) return std::nullopt;
  if (!send_request(socket_.get(), std::move(text), ours)) {
    give_up();
    return std::nullopt;
  }
  const auto pid = answer(answer_limit_ms);
  if (!pid) give_up();
  return pid;
}

// What it says next. A server that is gone is noticed here.
std::optional<pid_t> ForkServer::answer(int limit_ms) {
  pollfd waiting{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = ::poll(&waiting, 1, limit_ms);
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) return std::nullopt;
  wire::ForkAnswer answer;
  if (::recv(socket_.get(), &answer, sizeof answer, MSG_DONTWAIT) != sizeof answer ||
      answer.error_number != 0) {
    give_up();
    return std::nullopt;
  }
  return answer.pid;
}

void ForkServer::give_up() {
  process_.end();
  socket_.reset();
  is_ready_ = false;
}

}  // namespace server
