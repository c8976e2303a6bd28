#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// A fork server (scribed-decode --fork-server) is asked for a decoder in frames of
// platform/fd_socket.h. A request holds the decoder's arguments, each ended by '\0', and three
// or four descriptors, which become 0, 1, 3 and 4. Each request is answered by a ForkAnswer; one
// more is sent when the server is ready. Both ends are programs of one build on one machine.
namespace protocol::decoder {

// Input, PCM, report, and a file that gets a copy of the sound where there is one.
inline constexpr std::array fork_descriptors{0, 1, 3, 4};
inline constexpr std::size_t least_fork_descriptors = 3;

struct ForkAnswer {
  std::int32_t pid = 0;           // the decoder, a child of the process that started the server
  std::int32_t error_number = 0;  // why there is no decoder
};

}  // namespace protocol::decoder
