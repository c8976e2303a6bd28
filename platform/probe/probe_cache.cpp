#include "platform/probe/probe_cache.h"

#include <algorithm>
#include <optional>

#include "platform/facts/native_facts_json.h"
#include "platform/probe/cache_file.h"
#include "platform/probe/cache_key.h"
#include "platform/probe/native_probe.h"

namespace platform {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t max_smoke_marks = 64;
constexpr std::size_t max_packs = 16;

json object_in(const json& document, const std::string& key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_object() ? *found : json::object();
}

// Returns a kept answer, unless it belongs to another state of the machine.
template <class Kept>
std::optional<Kept> kept_answer(const json& section, const std::string& key, const char* name) {
  if (section.value("key", json()) != key || !section.contains(name)) return {};
  auto answer = from_json<Kept>(section[name]);
  if (!answer || answer->probe.outcome != ProbeOutcome::answered) return {};
  return std::move(*answer);
}

template <class Kept>
void take_kept(const json& section, const std::string& key, const char* name, bool& wanted,
               Kept& result) {
  if (!wanted) return;
  auto answer = kept_answer<Kept>(section, key, name);
  if (!answer) return;
  result = std::move(*answer);
  wanted = false;
}

template <class Kept>
void keep(json& section, const char* name, const Kept& answer) {
  if (answer.probe.outcome == ProbeOutcome::answered) section[name] = to_json(answer);
}

// Returns the free memory from the kernel's current figures. Depending on its version, HIP gives an
// integrated GPU either its own part of the memory alone, or all that the kernel lets it take of
// the machine's; its total says which.
std::optional<std::int64_t> free_now(const HipDevice& device, const KfdNode& node,
                                     const MemoryFacts& memory) {
  if (node.integrated && device.total_memory > node.vram_total.value_or(0)) {
    if (!node.gtt_total || memory.total <= 0) return {};
    return std::min({memory.free(), *node.gtt_total, device.total_memory});
  }
  if (!node.vram_total || !node.vram_used) return {};
  return *node.vram_total - *node.vram_used;
}

void refresh_free_memory(HipFacts& hip, const Facts& facts) {
  for (auto& device : hip.devices) {
    device.free_memory.reset();
    for (const auto& node : facts.amd.nodes) {
      if (node.pci_address != device.pci_address) continue;
      device.free_memory = free_now(device, node, facts.memory);
    }
  }
}

bool complete(const PackLibraries& libraries) {
  return libraries.probe.outcome == ProbeOutcome::answered &&
         std::ranges::all_of(libraries.libraries,
                             [](const LibraryLoad& load) { return load.error.empty(); });
}

// Returns whether the driver has failed: the same one serves NVML and CUDA, so an outcome of one
// counts for both.
bool in_trouble(ProbeOutcome outcome) {
  return outcome == ProbeOutcome::failed || outcome == ProbeOutcome::hung ||
         outcome == ProbeOutcome::crashed;
}

json smoke_marks(const json& document) {
  const auto found = document.find("smoke");
  return found != document.end() && found->is_array() ? *found : json::array();
}

}  // namespace

NativeFacts cached_probe_native(const Facts& facts, const ProbeSettings& settings,
                                const fs::path& cache_file) {
  const std::string key = native_key(facts, settings);
  const json document = read_cache(cache_file);
  const json section = object_in(document, "native");
  Vendors missing = worth_asking(facts);
  NativeFacts kept;
  take_kept(section, key, "cuda", missing.cuda, kept.cuda);
  take_kept(section, key, "hip", missing.hip, kept.hip);
  take_kept(section, key, "metal", missing.metal, kept.metal);
  refresh_free_memory(kept.hip, facts);

  NativeFacts native = probe_vendors(missing, facts, settings);
  if (!missing.cuda && in_trouble(native.nvml.probe.outcome)) {
    native.cuda = probe_vendors({.cuda = true}, facts, settings).cuda;
    missing.cuda = true;
    kept.cuda = {};
  }
  if (missing.cuda || missing.hip || missing.metal) {
    json now{{"key", key}};
    for (const NativeFacts* source : {&kept, &native}) {
      keep(now, "cuda", source->cuda);
      keep(now, "hip", source->hip);
      keep(now, "metal", source->metal);
    }
    json changed = read_cache(cache_file);
    changed["native"] = std::move(now);
    write_cache(cache_file, std::move(changed));
  }
  if (!missing.cuda) native.cuda = std::move(kept.cuda);
  if (!missing.hip) native.hip = std::move(kept.hip);
  if (!missing.metal) native.metal = std::move(kept.metal);
  return native;
}

PackLibraries cached_probe_pack(const Facts& facts, const PackPlace& pack,
                                const ProbeSettings& settings, const fs::path& cache_file) {
  const fs::path& pack_folder = pack.folder;
  const std::string key = pack_key(facts, pack);
  const json packs = object_in(read_cache(cache_file), "packs");
  const json section = object_in(packs, pack_folder.string());
  if (auto answer = kept_answer<PackLibraries>(section, key, "libraries")) {
    if (section.value("files", json()) == stamps_of(*answer)) return std::move(*answer);
  }
  PackLibraries libraries = probe_pack(pack, settings);
  if (complete(libraries)) {
    json document = read_cache(cache_file);
    json changed = object_in(document, "packs");
    if (changed.size() >= max_packs) changed = json::object();
    changed[pack_folder.string()] = {
        {"key", key}, {"files", stamps_of(libraries)}, {"libraries", to_json(libraries)}};
    document["packs"] = std::move(changed);
    write_cache(cache_file, std::move(document));
  }
  return libraries;
}

bool smoke_passed(const fs::path& cache_file, const std::string& key) {
  const json marks = smoke_marks(read_cache(cache_file));
  return std::ranges::find(marks, json(key)) != marks.end();
}

void remember_smoke(const fs::path& cache_file, const std::string& key) {
  json document = read_cache(cache_file);
  json marks = smoke_marks(document);
  if (std::ranges::find(marks, json(key)) != marks.end()) return;
  marks.push_back(key);
  while (marks.size() > max_smoke_marks) marks.erase(marks.begin());
  document["smoke"] = std::move(marks);
  write_cache(cache_file, std::move(document));
}

}  // namespace platform
