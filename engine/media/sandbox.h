#pragma once

#include <cstdint>
#include <vector>

#include "platform/shield.h"

namespace engine::media {

using platform::Shield;

struct SandboxOptions {
  int report_fd = -1;            // stays writable, as stdout does; -1: stderr does
  double max_seconds = 0;        // of sound; sets the limit of processor time
  int sound_fd = -1;             // a file that stays writable; -1: none does
  std::int64_t sound_bytes = 0;  // the most that any file may have then
};

// Gives up, for the rest of this process, everything that decoding does not need: opening files,
// sockets, programs, threads, new descriptors. Parts that FFmpeg loads lazily are loaded first.
// Call it once, while the process has one thread and before the first byte of input is read.
std::vector<Shield> enter_sandbox(const SandboxOptions& options);

Shield enter_limits(const SandboxOptions& options);
Shield enter_seccomp(const SandboxOptions& options);

}  // namespace engine::media
