#include "platform/cpu_sets.h"

#include <algorithm>
#include <bitset>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace platform {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<int> parse_cpu(std::string_view text) {
  int number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool is_cpu = error == std::errc{} && stop == end && number >= 0 && number < most_cpus;
  return is_cpu ? std::optional(number) : std::nullopt;
}

// Returns the core of each CPU that the text lists, named by its package and its number in there.
std::map<int, std::string> cores_by_cpu(const std::string& cpuinfo) {
  std::map<int, std::string> cores;
  std::optional<int> cpu;
  std::string package;
  std::istringstream lines(cpuinfo);
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto key = trimmed(std::string_view(line).substr(0, colon));
    const auto value = trimmed(std::string_view(line).substr(colon + 1));
    if (key == "processor") {
      cpu = parse_cpu(value);
      if (cpu) cores[*cpu] = "cpu " + std::string(value);
    }
    if (key == "physical id") package = value;
    if (key == "core id" && cpu) cores[*cpu] = package + "/" + std::string(value);
  }
  return cores;
}

}  // namespace

std::vector<int> parse_cpu_list(std::string_view text) {
  std::bitset<most_cpus> listed;
  text = trimmed(text);
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const auto part = text.substr(0, comma);
    const auto dash = std::min(part.find('-'), part.size());
    const auto first = parse_cpu(part.substr(0, dash));
    const auto last = dash == part.size() ? first : parse_cpu(part.substr(dash + 1));
    if (first && last) {
      for (int cpu = *first; cpu <= *last; ++cpu) listed.set(static_cast<std::size_t>(cpu));
    }
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  std::vector<int> cpus;
  for (int cpu = 0; cpu < most_cpus; ++cpu) {
    if (listed.test(static_cast<std::size_t>(cpu))) cpus.push_back(cpu);
  }
  return cpus;
}

int count_cores(const std::string& cpuinfo, const std::vector<int>& cpus) {
  const auto listed = cores_by_cpu(cpuinfo);
  const bool knows_all = std::ranges::all_of(cpus, [&](int cpu) { return listed.contains(cpu); });
  std::set<std::string> cores;
  for (const auto& [cpu, core] : listed) {
    if (!knows_all || std::ranges::binary_search(cpus, cpu)) cores.insert(core);
  }
  return static_cast<int>(std::min(cores.size(), cpus.size()));
}

}  // namespace platform
