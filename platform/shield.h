#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace platform {

// One layer of the sandbox around a process of ours. Where a kernel lacks it, the others still
// protect.
struct Shield {
  std::string name;
  bool active = false;
  std::string detail;  // its version or strength, or why it is missing
};

// These return the active shields, "seccomp (reads the input, …)", and the missing ones, "landlock:
// the kernel has none".
std::vector<std::string> standing(const std::vector<Shield>& shields);
std::vector<std::string> missing(const std::vector<Shield>& shields);

// These write and read {"landlock": {"active": true, "detail": "…"}, …}. Any other text gives no
// shields.
std::string to_json(const std::vector<Shield>& shields);
std::vector<Shield> parse_shields(std::string_view json);

}  // namespace platform
