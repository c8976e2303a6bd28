#pragma once

#include <string>
#include <vector>

namespace engine::media {

// One wall around the decoder. Where a kernel lacks it, the others still stand.
struct Shield {
  std::string name;
  bool active = false;
  std::string detail;  // its version or strength, or why it is missing
};

struct SandboxOptions {
  int report_fd = -1;      // stays writable, beside standard output and error
  double max_seconds = 0;  // of sound; gives the limit of processor time
};

// Gives up, for the rest of this process, all that decoding does not need: opening files, sockets,
// programs, threads, new descriptors. What FFmpeg loads lazily is loaded first. Call it once, while
// the process has one thread and before the first byte of input is read.
std::vector<Shield> enter_sandbox(const SandboxOptions& options);

Shield enter_limits(const SandboxOptions& options);
Shield enter_landlock();
Shield enter_seccomp(const SandboxOptions& options);

// {"landlock": {"active": true, "detail": "…"}, …}
std::string to_json(const std::vector<Shield>& shields);

}  // namespace engine::media
