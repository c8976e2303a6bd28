#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/unique_fd.h"

// Sends and receives frames (protocol/frame.h) over a Unix stream socket, with descriptors attached
// to the first byte (SCM_RIGHTS).
namespace platform {

constexpr std::size_t max_frame_descriptors = 4;

struct Frame {
  std::string payload;
  std::vector<UniqueFd> descriptors;
};

// Sends a frame and blocks. Returns false when the peer has closed, and throws std::system_error on
// any other failure. It is not thread-safe: two senders need a lock, or their frames interleave.
bool send_frame(int socket, std::string_view payload, std::span<const int> descriptors = {});

// Receives a frame and blocks. Returns nothing when the peer has closed. Throws std::system_error
// on a failure, and with EMSGSIZE on a length above protocol::max_frame_payload.
std::optional<Frame> receive_frame(int socket);

// Sends as sendmsg() does: returns how many bytes were taken, and with the first of them all
// descriptors, or -1 and errno. A peer that has closed is EPIPE, never SIGPIPE.
ssize_t send_some(int socket, std::string_view bytes, std::span<const int> descriptors,
                  int flags = 0);

}  // namespace platform
