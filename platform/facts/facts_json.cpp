#include "platform/facts/facts_json.h"

#include <cstdio>

#include "platform/facts/native_facts_fields.h"
#include "platform/facts/native_facts_json.h"

namespace platform {
namespace {

std::string hex(std::uint16_t id) {
  char text[8];
  std::snprintf(text, sizeof(text), "%04x", id);
  return text;
}

}  // namespace

// The writer finds these functions by argument lookup, so they cannot be in an unnamed namespace.
static void describe(JsonWriter& field, const OsFacts& os) {
  field("name", os.name);
  field("kernel", os.kernel);
  field("architecture", os.architecture);
  field("glibc", os.glibc);
  field("container", os.container);
  field("wsl", os.wsl);
  field("macos", os.macos);
  field("refused_calls", os.refused_calls);
}

static void describe(JsonWriter& field, const CpuFacts& cpu) {
  field("model_name", cpu.model_name);
  field("logical_cores", cpu.logical_cores);
  field("physical_cores", cpu.physical_cores);
  field("isa", cpu.isa());
  field("avx2", cpu.avx2);
  field("avx_vnni", cpu.avx_vnni);
  field("avx512f", cpu.avx512f);
  field("avx512_vnni", cpu.avx512_vnni);
  field("avx512_bf16", cpu.avx512_bf16);
  field("amx", cpu.amx);
  field("neon", cpu.neon);
  field("neon_dotprod", cpu.neon_dotprod);
  field("neon_i8mm", cpu.neon_i8mm);
}

static void describe(JsonWriter& field, const NumaNode& node) {
  field("node", node.node);
  field("cores", node.cores);
  field("cpus", node.cpus);
}

static void describe(JsonWriter& field, const MemoryFacts& memory) {
  field("total", memory.total);
  field("available", memory.available);
  field("limit", memory.limit);
  field("in_use", memory.in_use);
  field("free", memory.free());
}

static void describe(JsonWriter& field, const PciGpu& gpu) {
  field("address", gpu.address);
  field("vendor", hex(gpu.vendor));
  field("device", hex(gpu.device));
  field("name", gpu.name);
  field("driver", gpu.driver);
}

static void describe(JsonWriter& field, const DeviceNode& node) {
  field("path", node.path);
  field("exists", node.exists);
  field("open_error", node.open_error);
}

static void describe(JsonWriter& field, const LibraryFile& library) {
  field("soname", library.soname);
  field("path", library.path);
  field("target", library.target);
  field("version", library.version);
}

static void describe(JsonWriter& field, const NvidiaFacts& nvidia) {
  field("module_version", nvidia.module_version);
  field("module_read_from", nvidia.module_read_from);
  field("open_module", nvidia.open_module);
  field("nouveau", nvidia.nouveau);
  field("nodes", nvidia.nodes);
  field("libraries", nvidia.libraries);
}

static void describe(JsonWriter& field, const KfdNode& node) {
  field("node", node.node);
  field("vendor", hex(node.vendor));
  field("device", hex(node.device));
  field("gfx", node.gfx);
  field("pci_address", node.pci_address);
  field("vram_total", node.vram_total);
  field("vram_used", node.vram_used);
  field("gtt_total", node.gtt_total);
  field("integrated", node.integrated);
}

static void describe(JsonWriter& field, const AmdFacts& amd) {
  field("amdgpu", amd.amdgpu);
  field("amdgpu_version", amd.amdgpu_version);
  field("kfd", amd.kfd);
  field("render", amd.render);
  field("nodes", amd.nodes);
  field("libraries", amd.libraries);
}

static void describe(JsonWriter& field, const EnvironmentVariable& variable) {
  field("name", variable.name);
  field("value", variable.value);
}

static void describe(JsonWriter& field, const Facts& facts) {
  field("os", facts.os);
  field("cpu", facts.cpu);
  field("numa_nodes", facts.numa_nodes);
  field("memory", facts.memory);
  field("pci", facts.pci);
  field("nvidia", facts.nvidia);
  field("amd", facts.amd);
  field("environment", facts.environment);
  field("native", facts.native);
}

nlohmann::json to_json(const Facts& facts) {
  return JsonWriter::write(facts);
}

}  // namespace platform
