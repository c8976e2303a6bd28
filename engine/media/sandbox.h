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
  bool may_get_memory = false;   // memory starts with a small limit (protocol/decoder_memory.h)
};

// Gives up, for the rest of this process, everything that decoding does not need: opening files,
// sockets, programs, threads, new descriptors. Parts that FFmpeg loads lazily are loaded first.
// Call it once, while the process has one thread and before the first byte of input is read.
std::vector<Shield> enter_sandbox(const SandboxOptions& options);

// `mapped` is mapped_data(), which has to be asked for before Landlock closes /proc.
Shield enter_limits(const SandboxOptions& options, std::int64_t mapped);
// Returns the private memory in bytes that this process has mapped, most of it libraries' and never
// touched.
std::int64_t mapped_data();
Shield enter_seccomp(const SandboxOptions& options);

}  // namespace engine::media
