#pragma once

#include <string>
#include <string_view>
#include <vector>

// Sets of logical CPUs, by the kernel's numbers in ascending order.
namespace platform {

inline constexpr int most_cpus = 8192;  // of any kernel

// Reads a list as the kernel writes them, "0-15,32-47\n". Parts that are no numbers or ranges, and
// CPUs beyond the kernel's most, are left out.
std::vector<int> parse_cpu_list(std::string_view text);

// Returns the number of cores that have at least one of these CPUs, by the text of /proc/cpuinfo.
// A text without cores counts each CPU as one. A text that lacks some of the CPUs numbers them
// anew, as some containers do: then no more is known than that the cores are at most all of the
// text, and at most one for each CPU.
int count_cores(const std::string& cpuinfo, const std::vector<int>& cpus);

}  // namespace platform
