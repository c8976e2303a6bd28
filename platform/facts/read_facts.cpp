#include "platform/facts/read_facts.h"

#include <algorithm>
#include <string_view>

#include "platform/facts/amd_files.h"
#include "platform/facts/file_reader.h"
#include "platform/facts/libraries.h"
#include "platform/facts/memory_facts.h"
#include "platform/facts/numa_nodes.h"
#include "platform/facts/nvidia_files.h"
#include "platform/facts/os_facts.h"
#include "platform/facts/pci_facts.h"
#include "platform/facts/variables.h"

extern char** environ;

namespace platform {
namespace {

// A copied tree describes only its own machine: without /proc/cpuinfo nothing is known of its CPU.
CpuFacts read_cpu(const FileReader& files) {
  if (files.this_machine()) return probe_cpu();
  return parse_cpuinfo(files.text("/proc/cpuinfo", std::size_t{8} << 20).value_or(""));
}

std::vector<EnvironmentVariable> set_variables(const System& system,
                                               std::vector<std::string> names) {
  for (const char* name : decisive_variables) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  std::vector<EnvironmentVariable> set;
  for (const auto& name : names) {
    const auto found = system.environment.find(name);
    if (found != system.environment.end()) set.push_back({name, found->second});
  }
  return set;
}

}  // namespace

System System::of_this_process() {
  System system;
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    const auto equals = text.find('=');
    if (equals == text.npos) continue;
    system.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  const auto root = system.environment.find("SCRIBED_SYSTEM_ROOT");
  if (root != system.environment.end() && !root->second.empty()) system.root = root->second;
  return system;
}

Facts read_facts(const System& system, const std::vector<std::string>& variables) {
  const FileReader files(system.root);
  const LibraryFinder libraries(files, system.environment);
  Facts facts;
  facts.os = read_os(files, system.environment);
  facts.cpu = read_cpu(files);
  facts.numa_nodes = read_numa_nodes(files);
  facts.memory = read_memory(files);
  facts.pci = read_pci(files);
  facts.nvidia = read_nvidia(files, libraries);
  facts.amd = read_amd(files, libraries);
  facts.environment = set_variables(system, variables);
  return facts;
}

}  // namespace platform
