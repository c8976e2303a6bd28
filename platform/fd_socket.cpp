#include "platform/fd_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "protocol/frame.h"

namespace platform {
namespace {

#if defined(__APPLE__)

// macOS has no flags for these two of a single call: a received descriptor is marked afterwards, so
// a child that another thread starts in between inherits it.
constexpr int receive_flags = 0;
constexpr int send_flags = 0;

void close_on_exec(int fd) {
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void raise_no_signal(int socket) {
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
}

#else

constexpr int receive_flags = MSG_CMSG_CLOEXEC;
constexpr int send_flags = MSG_NOSIGNAL;

void close_on_exec(int) {}
void raise_no_signal(int) {}

#endif

[[noreturn]] void fail(int error, const char* what) {
  throw std::system_error(error, std::generic_category(), what);
}

// Fills `into` and collects descriptors that come along. Returns false at the end of the stream.
bool receive_all(int socket, std::span<char> into, std::vector<UniqueFd>& descriptors) {
  while (!into.empty()) {
    iovec part{into.data(), into.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_frame_descriptors)> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t received = ::recvmsg(socket, &message, receive_flags);
    if (received < 0 && errno == EINTR) continue;
    if (received == 0 || (received < 0 && errno == ECONNRESET)) return false;
    if (received < 0) fail(errno, "[fd_socket] recvmsg");
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
      const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      std::array<int, max_frame_descriptors> received_fds{};
      std::memcpy(received_fds.data(), CMSG_DATA(header), count * sizeof(int));
      for (std::size_t i = 0; i < count; ++i) {
        close_on_exec(received_fds[i]);
        descriptors.emplace_back(received_fds[i]);
      }
    }
    into = into.subspan(static_cast<std::size_t>(received));
  }
  return true;
}

}  // namespace

ssize_t send_some(int socket, std::string_view bytes, std::span<const int> descriptors, int flags) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_frame_descriptors)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  raise_no_signal(socket);
  return ::sendmsg(socket, &message, flags | send_flags);
}

bool send_frame(int socket, std::string_view payload, std::span<const int> descriptors) {
  const auto header = protocol::encode_frame_header(payload.size());
  if (!header || descriptors.size() > max_frame_descriptors) {
    fail(EMSGSIZE, "[fd_socket] frame too large");
  }
  std::string frame(header->begin(), header->end());
  frame += payload;
  for (std::string_view rest = frame; !rest.empty();) {
    const ssize_t sent = send_some(socket, rest, descriptors);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return false;
    if (sent < 0) fail(errno, "[fd_socket] sendmsg");
    rest.remove_prefix(static_cast<std::size_t>(sent));
    descriptors = {};  // the descriptors were sent with the first byte
  }
  return true;
}

std::optional<Frame> receive_frame(int socket) {
  Frame frame;
  protocol::FrameHeader header{};
  if (!receive_all(socket, header, frame.descriptors)) return std::nullopt;
  const auto length = protocol::decode_frame_header(header);
  if (!length) fail(EMSGSIZE, "[fd_socket] frame too large");
  frame.payload.resize(*length);
  if (!receive_all(socket, frame.payload, frame.descriptors)) return std::nullopt;
  return frame;
}

}  // namespace platform
