#include "tests/platform/verdict/world.h"

#include <stdexcept>

namespace platform::test {
namespace {

ComputeCapability cc(int major, int minor) {
  return {major, minor};
}

}  // namespace

Pack& World::pack(Backend backend) {
  for (auto& candidate : packs) {
    if (candidate.build.backend == backend) return candidate;
  }
  throw std::logic_error("no such pack");
}

void World::set(const std::string& variable, const std::string& value) {
  facts.environment.push_back({variable, value});
}

void World::cuda_answers(ProbeResult probe) {
  facts.native.cuda = {.probe = std::move(probe)};
}

void World::nvml_fails(int code) {
  facts.native.nvml = {.probe = {.outcome = ProbeOutcome::failed, .code = code}};
}

void World::hip_answers(ProbeResult probe) {
  facts.native.hip = {.probe = std::move(probe)};
}

World plain_machine() {
  World world;
  world.facts.os = {.name = "Debian GNU/Linux 12 (bookworm)",
                    .kernel = "6.1.0-28-amd64",
                    .architecture = "x86_64",
                    .glibc = "2.36"};
  world.facts.cpu.model_name = "AMD EPYC 9354";
  world.facts.cpu.avx2 = world.facts.cpu.avx512f = world.facts.cpu.avx512_bf16 = true;
  world.facts.memory = {.total = 16 * gib_bytes, .available = 12 * gib_bytes};
  world.packs = {{.name = "cpu",
                  .worker = "/opt/scribed/scribed-worker",
                  .build = {.backend = Backend::cpu, .torch = "2.11.0", .variant = "cpu"}}};
  world.request.model = *built_in().find_model("base");
  return world;
}

World nvidia_machine() {
  World world = plain_machine();
  Facts& facts = world.facts;
  facts.pci = {{.address = "0000:01:00.0",
                .vendor = vendor_nvidia,
                .device = 0x2504,
                .name = "GA106 [GeForce RTX 3060 Lite Hash Rate]",
                .driver = "nvidia"}};
  facts.nvidia = {
      .module_version = "580.95.05",
      .module_read_from = "/proc/driver/nvidia/version",
      .nodes = {{"/dev/nvidiactl", true}, {"/dev/nvidia-uvm", true}, {"/dev/nvidia0", true}},
      .libraries = {{"libcuda.so.1", "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
                     "/usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05", "580.95.05"}}};
  facts.native.cuda = {.probe = {.outcome = ProbeOutcome::answered,
                                 .library = "/usr/lib/x86_64-linux-gnu/libcuda.so.1"},
                       .driver_cuda = "13.0",
                       .devices = {{.index = 0,
                                    .name = "NVIDIA GeForce RTX 3060",
                                    .uuid = "GPU-11111111",
                                    .pci_address = "0000:01:00.0",
                                    .compute_capability = cc(8, 6),
                                    .total_memory = 12 * gib_bytes}}};
  facts.native.nvml = {.probe = {.outcome = ProbeOutcome::answered},
                       .driver_version = "580.95.05",
                       .devices = {{.name = "NVIDIA GeForce RTX 3060",
                                    .uuid = "GPU-11111111",
                                    .pci_address = "00000000:01:00.0",
                                    .total_memory = 12 * gib_bytes,
                                    .free_memory = 11 * gib_bytes}}};
  world.packs.push_back(
      {.name = "cuda-13",
       .worker = "/opt/scribed/runtimes/cuda-13/scribed-worker",
       .build = {.backend = Backend::cuda,
                 .torch = "2.11.0",
                 .variant = "cu130",
                 .cuda = "13.0",
                 .cudnn = "9.19.0.56",
                 .arch_list = {cc(7, 5), cc(8, 0), cc(8, 6), cc(9, 0), cc(10, 0), cc(12, 0)}}});
  return world;
}

World amd_machine() {
  World world = plain_machine();
  Facts& facts = world.facts;
  facts.pci = {{.address = "0000:03:00.0",
                .vendor = vendor_amd,
                .device = 0x744c,
                .name = "Navi 31 [Radeon RX 7900 XTX]",
                .driver = "amdgpu"}};
  facts.amd.amdgpu = true;
  facts.amd.kfd = {"/dev/kfd", true, 0};
  facts.amd.render = {{"/dev/dri/renderD128", true, 0}};
  facts.amd.nodes = {{.node = 1,
                      .vendor = vendor_amd,
                      .device = 0x744c,
                      .gfx = "gfx1100",
                      .pci_address = "0000:03:00.0"}};
  facts.amd.libraries = {{"libamdhip64.so.7", "/opt/rocm/lib/libamdhip64.so.7", "", "7.2"}};
  facts.native.hip = {.probe = {.outcome = ProbeOutcome::answered},
                      .devices = {{.index = 0,
                                   .name = "AMD Radeon RX 7900 XTX",
                                   .gfx = "gfx1100",
                                   .pci_address = "0000:03:00.0",
                                   .total_memory = 24 * gib_bytes,
                                   .free_memory = 23 * gib_bytes}}};
  world.packs.push_back({.name = "rocm-7",
                         .worker = "/opt/scribed/runtimes/rocm-7/scribed-worker",
                         .build = {.backend = Backend::rocm,
                                   .torch = "2.11.0",
                                   .variant = "rocm7.2",
                                   .rocm = "7.2",
                                   .gfx_list = {"gfx906", "gfx1030", "gfx1100", "gfx1101"}},
                         .libraries = {.rocblas_gfx = {"gfx1030", "gfx1100", "gfx1101"}}});
  return world;
}

World apple_machine() {
  World world = plain_machine();
  Facts& facts = world.facts;
  facts.os = {.name = "macOS 15.1", .architecture = "arm64", .macos = true};
  facts.native.metal = {.probe = {.outcome = ProbeOutcome::answered},
                        .macos_version = "15.1",
                        .devices = {{.name = "Apple M2",
                                     .unified_memory = true,
                                     .mac2 = true,
                                     .recommended_working_set = 10 * gib_bytes}}};
  world.packs.push_back({.name = "mps",
                         .worker = "/opt/scribed/runtimes/mps/scribed-worker",
                         .build = {.backend = Backend::mps, .torch = "2.11.0", .variant = "cpu"}});
  return world;
}

World wsl_machine() {
  World world = nvidia_machine();
  Facts& facts = world.facts;
  facts.os.wsl = true;
  facts.pci.clear();
  facts.nvidia = {.nodes = {{"/dev/dxg", true}, {"/dev/nvidiactl", false}},
                  .libraries = {{"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1",
                                 "/usr/lib/wsl/drivers/nv/libcuda.so.1.1", ""}}};
  facts.native.nvml.driver_version = "581.42";
  return world;
}

const Matrix& built_in() {
  static const Matrix matrix = built_in_matrix().matrix;
  return matrix;
}

std::vector<Verdict> judge(const World& world) {
  return evaluate(world.facts, built_in(), world.packs, world.request);
}

Verdict judge(const World& world, Backend backend) {
  for (auto& verdict : judge(world)) {
    const bool foreign = backend == Backend::cpu && !verdict.pci_address.empty();
    if (verdict.backend == backend && !foreign) return verdict;
  }
  return {};
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto cases :
       {nvidia_driver_cases, cuda_device_cases, amd_cases, apple_cases, cpu_cases}) {
    for (auto& one : cases()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace platform::test
