#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "platform/cpu_sets.h"
#include "platform/facts/amd_files.h"
#include "platform/facts/ld_cache.h"
#include "platform/facts/memory_facts.h"
#include "platform/facts/native_facts_json.h"
#include "platform/facts/nvidia_files.h"
#include "platform/facts/os_facts.h"
#include "platform/facts/pci_ids.h"
#include "platform/facts/text.h"

// Files of a machine and answers of vendors' libraries may hold anything: a copied tree comes from
// a stranger. The first byte says which parser gets the rest.
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void ld_cache(std::string_view bytes) {
  for (const auto& library : platform::parse_ld_cache(bytes)) {
    require(bytes.find(library.soname) != bytes.npos && bytes.find(library.path) != bytes.npos);
  }
}

void nvrm_version(std::string_view bytes) {
  const auto module = platform::parse_nvrm_version(bytes);
  if (module) require(bytes.find(module->version) != bytes.npos && module->version.size() > 2);
}

void kfd_properties(std::string_view bytes) {
  for (const auto& [name, value] : platform::parse_kfd_properties(bytes)) {
    require(!name.empty() && value >= 0);
  }
}

void pci_ids(std::string_view bytes) {
  platform::PciIds ids;
  ids.want(platform::vendor_nvidia, 0x2504);
  ids.want(platform::vendor_amd, 0x73df);
  for (const auto line : platform::split(bytes, '\n')) {
    if (!ids.take(line)) break;
  }
  const auto name = ids.name(platform::vendor_amd, 0x73df);
  require(name.empty() || name.find(' ') != name.npos);
}

void meminfo(std::string_view bytes) {
  const auto memory = platform::parse_meminfo(bytes);
  require(memory.total >= 0 && memory.available >= 0 && memory.available <= memory.total);
}

void memory_group(std::string_view bytes) {
  require(platform::parse_memory_group(bytes).path.size() <= bytes.size());
}

void cpu_list(std::string_view bytes) {
  const auto cpus = platform::parse_cpu_list(bytes);
  for (const int cpu : cpus) require(cpu >= 0 && cpu < 8192);
  const int cores = platform::count_cores(std::string(bytes), cpus);
  require(cores >= 0 && cores <= static_cast<int>(cpus.size()));
}

void system_names(std::string_view bytes) {
  require(platform::parse_os_release(bytes).size() <= bytes.size());
  require(platform::parse_glibc_banner(bytes).size() <= 32);
}

// Facts that could be read are written in a form that reads the same.
void native_facts(std::string_view bytes) {
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  const auto facts = platform::from_json<platform::NativeFacts>(json);
  if (!facts) return;
  const auto written = platform::to_json(*facts);
  const auto again = platform::from_json<platform::NativeFacts>(written);
  require(again.has_value() && platform::to_json(*again) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array parsers{ld_cache,     nvrm_version, kfd_properties, pci_ids,     meminfo,
                               memory_group, cpu_list,     system_names,   native_facts};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  parsers[data[0] % parsers.size()](bytes.substr(1));
  return 0;
}
