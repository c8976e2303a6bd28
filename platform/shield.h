#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace platform {

// One wall around a process of ours. Where a kernel lacks it, the others still stand.
struct Shield {
  std::string name;
  bool active = false;
  std::string detail;  // its version or strength, or why it is missing
};

// "seccomp (reads the input, …)": those that stand, or "landlock: the kernel has none": those that
// are missing.
std::vector<std::string> standing(const std::vector<Shield>& shields);
std::vector<std::string> missing(const std::vector<Shield>& shields);

// {"landlock": {"active": true, "detail": "…"}, …}, and back. Anything else has no shields.
std::string to_json(const std::vector<Shield>& shields);
std::vector<Shield> parse_shields(std::string_view json);

}  // namespace platform
