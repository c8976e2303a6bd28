#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/unique_fd.h"

// Blocking frames over a Unix stream socket: a 4-byte little-endian length, the payload, and
// descriptors that ride with the frame's first byte (SCM_RIGHTS).
namespace platform {

constexpr std::size_t max_frame_bytes = 16 * 1024 * 1024;
constexpr std::size_t max_frame_descriptors = 4;

struct Frame {
  std::string payload;
  std::vector<UniqueFd> descriptors;
};

// False when the peer has closed. Throws std::system_error on any other failure. Not thread-safe:
// two senders need a lock of their own, or their frames interleave.
bool send_frame(int socket, std::string_view payload, std::span<const int> descriptors = {});

// Nothing when the peer has closed. Throws std::system_error on a failure, and with EMSGSIZE on a
// length above max_frame_bytes.
std::optional<Frame> receive_frame(int socket);

}  // namespace platform
