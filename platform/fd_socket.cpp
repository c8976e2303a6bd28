#include "platform/fd_socket.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace platform {
namespace {

constexpr std::size_t header_bytes = 4;

[[noreturn]] void fail(int error, const char* what) {
  throw std::system_error(error, std::generic_category(), what);
}

std::array<char, header_bytes> encode_length(std::size_t length) {
  return {static_cast<char>(length), static_cast<char>(length >> 8),
          static_cast<char>(length >> 16), static_cast<char>(length >> 24)};
}

std::size_t decode_length(const std::array<char, header_bytes>& header) {
  std::size_t length = 0;
  for (std::size_t i = header_bytes; i-- > 0;) {
    length = length << 8 | static_cast<unsigned char>(header[i]);
  }
  return length;
}

// Sends all of `parts`; descriptors go with the first byte that leaves.
bool send_all(int socket, std::array<iovec, 2> parts, std::span<const int> descriptors) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_frame_descriptors)> control{};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  while (message.msg_iovlen > 0) {
    const ssize_t sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return false;
    if (sent < 0) fail(errno, "[fd_socket] sendmsg");
    message.msg_control = nullptr;
    message.msg_controllen = 0;
    std::size_t left = static_cast<std::size_t>(sent);
    while (message.msg_iovlen > 0 && left >= message.msg_iov->iov_len) {
      left -= message.msg_iov->iov_len;
      ++message.msg_iov;
      --message.msg_iovlen;
    }
    if (message.msg_iovlen > 0) {
      message.msg_iov->iov_base = static_cast<char*>(message.msg_iov->iov_base) + left;
      message.msg_iov->iov_len -= left;
    }
  }
  return true;
}

// Fills `into` and collects descriptors that come along. False at end of file.
bool receive_all(int socket, std::span<char> into, std::vector<UniqueFd>& descriptors) {
  while (!into.empty()) {
    iovec part{into.data(), into.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_frame_descriptors)> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received < 0 && errno == EINTR) continue;
    if (received == 0 || (received < 0 && errno == ECONNRESET)) return false;
    if (received < 0) fail(errno, "[fd_socket] recvmsg");
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
      const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      std::array<int, max_frame_descriptors> received_fds{};
      std::memcpy(received_fds.data(), CMSG_DATA(header), count * sizeof(int));
      for (std::size_t i = 0; i < count; ++i) descriptors.emplace_back(received_fds[i]);
    }
    into = into.subspan(static_cast<std::size_t>(received));
  }
  return true;
}

}  // namespace

bool send_frame(int socket, std::string_view payload, std::span<const int> descriptors) {
  if (payload.size() > max_frame_bytes || descriptors.size() > max_frame_descriptors) {
    fail(EMSGSIZE, "[fd_socket] frame too large");
  }
  auto header = encode_length(payload.size());
  return send_all(socket,
                  {iovec{header.data(), header.size()},
                   iovec{const_cast<char*>(payload.data()), payload.size()}},
                  descriptors);
}

std::optional<Frame> receive_frame(int socket) {
  Frame frame;
  std::array<char, header_bytes> header{};
  if (!receive_all(socket, header, frame.descriptors)) return std::nullopt;
  const std::size_t length = decode_length(header);
  if (length > max_frame_bytes) fail(EMSGSIZE, "[fd_socket] frame too large");
  frame.payload.resize(length);
  if (!receive_all(socket, frame.payload, frame.descriptors)) return std::nullopt;
  return frame;
}

}  // namespace platform
