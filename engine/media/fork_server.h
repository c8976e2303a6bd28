#pragma once

#include <functional>
#include <span>

namespace engine::media {

// Answers requests (protocol/decoder_forks.h) on `socket`, each with a fork of this process. It has
// loaded FFmpeg's libraries already, which takes longer than decoding a short clip. The fork is a
// child of this process's parent, runs `decode` with the arguments and the descriptors of the
// request, and ends. This process itself never sees a byte of an input. Returns this process's exit
// status when the other end is closed or nobody asked for a while.
int serve_forks(int socket, const std::function<int(std::span<const char* const>)>& decode);

}  // namespace engine::media
