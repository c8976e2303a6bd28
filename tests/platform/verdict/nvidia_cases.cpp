#include <cerrno>
#include <functional>

#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

using Break = std::function<void(World&)>;

Case broken(std::string name, std::string code, const Break& change,
            World world = nvidia_machine()) {
  world.facts.native.cuda.devices.clear();
  world.cuda_answers({.outcome = ProbeOutcome::failed,
                      .library = "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
                      .function = "cuInit",
                      .code = 999,
                      .code_name = "CUDA_ERROR_UNKNOWN"});
  change(world);
  return {std::move(name), std::move(code), Severity::blocked, Backend::cuda, std::move(world)};
}

// Makes a case in which cuInit returns `result` and everything else is in order.
Case cu_init(std::string name, int result, std::string code) {
  return broken(std::move(name), std::move(code),
                [&](World& world) { world.facts.native.cuda.probe.code = result; });
}

void take_away_driver(World& world) {
  world.facts.nvidia = {.nodes = {{"/dev/nvidiactl", false}, {"/dev/nvidia-uvm", false}}};
  world.facts.pci[0].driver = "";
  world.cuda_answers({.outcome = ProbeOutcome::library_missing, .library = "libcuda.so.1"});
  world.facts.native.nvml = {.probe = {.outcome = ProbeOutcome::library_missing}};
}

void without_library(World& world) {
  world.facts.nvidia.libraries.clear();
  world.cuda_answers({.outcome = ProbeOutcome::library_missing, .library = "libcuda.so.1"});
}

void hide_nodes_in_container(World& world) {
  world.facts.os.container = "docker";
  world.facts.nvidia.nodes = {{"/dev/nvidiactl", false}, {"/dev/nvidia-uvm", false}};
}

std::vector<Case> machine_cases() {
  return {
      broken("a virtual machine's driver has the card", code::card_in_other_hands,
             [](World& w) { w.facts.pci[0].driver = "vfio-pci"; }),
      broken("nouveau has the card", code::nvidia_nouveau,
             [](World& w) {
               take_away_driver(w);
               w.facts.pci[0].driver = "nouveau";
               w.facts.nvidia.nouveau = true;
             }),
      broken("nouveau is loaded and nothing is bound", code::nvidia_nouveau,
             [](World& w) {
               take_away_driver(w);
               w.facts.nvidia.nouveau = true;
             }),
      broken("no kernel module", code::nvidia_module_missing, take_away_driver),
      broken("no control node", code::nvidia_node_missing,
             [](World& w) { w.facts.nvidia.nodes[0].exists = false; }),
      broken("no node of any card", code::nvidia_node_missing,
             [](World& w) {
               w.facts.nvidia.nodes[2].exists = false;
               w.facts.native.cuda.probe.code = 100;
             }),
      broken("no node for unified memory", code::nvidia_uvm_missing,
             [](World& w) { w.facts.nvidia.nodes[1].exists = false; }),
      broken("a node may not be opened", code::nvidia_permission,
             [](World& w) { w.facts.nvidia.nodes[0].open_error = EACCES; }),
      broken("a cgroup keeps a node shut", code::nvidia_permission,
             [](World& w) { w.facts.nvidia.nodes[1].open_error = EPERM; }),
      broken("a container without nodes", code::container_no_gpu, hide_nodes_in_container),
      broken("a container without the driver's library", code::container_no_gpu,
             [](World& w) {
               without_library(w);
               w.facts.os.container = "docker";
             }),
      broken("no driver library", code::cuda_no_driver, without_library),
      broken("the loader refuses the driver's library", code::cuda_library_broken,
             [](World& w) {
               without_library(w);
               w.facts.native.cuda.probe.text = "/usr/lib/libcuda.so.1: file too short";
             }),
      broken("the driver's library lacks one that it needs", code::cuda_library_broken,
             [](World& w) {
               without_library(w);
               w.facts.native.cuda.probe.text =
                   "libnvidia-x.so.1: cannot open shared object file: No such file or directory";
             }),
      broken("the driver's library lies where the loader does not take it",
             code::cuda_library_broken,
             [](World& w) {
               w.cuda_answers({.outcome = ProbeOutcome::library_missing,
                               .library = "libcuda.so.1",
                               .text = "libcuda.so.1: cannot open shared object file: No such file "
                                       "or directory"});
             }),
      broken(
          "WSL: the loader refuses Windows's library", code::cuda_library_broken,
          [](World& w) {
            w.cuda_answers({.outcome = ProbeOutcome::library_missing,
                            .library = "libcuda.so.1",
                            .text = "/usr/lib/wsl/lib/libcuda.so.1: file too short"});
          },
          wsl_machine()),
      broken(
          "WSL: no driver for the GPU of Windows", code::cuda_no_driver,
          [](World& w) {
            without_library(w);
            w.facts.native.nvml = {.probe = {.outcome = ProbeOutcome::library_missing}};
          },
          wsl_machine()),
      broken("the open kernel module under a Pascal card", code::nvidia_open_module,
             [](World& w) {
               w.facts.nvidia.open_module = true;
               w.facts.pci[0].device = 0x1b80;
               w.facts.native.cuda.probe.code = 100;
               w.facts.native.nvml.devices.clear();
             }),
      broken(
          "WSL: the library is not on the path", code::wsl_libcuda,
          [](World& w) { w.cuda_answers({.outcome = ProbeOutcome::library_missing}); },
          wsl_machine()),
      broken(
          "WSL: a Linux driver is in front", code::wsl_linux_driver,
          [](World& w) {
            w.facts.nvidia.libraries.insert(
                w.facts.nvidia.libraries.begin(),
                {"libcuda.so.1", "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
                 "/usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14", "550.54.14"});
          },
          wsl_machine()),
  };
}

std::vector<Case> library_cases() {
  return {
      broken("libcuda was not asked", code::probe_not_started,
             [](World& w) { w.facts.native.cuda.probe.outcome = ProbeOutcome::not_started; }),
      broken("cuInit hangs", code::probe_hung,
             [](World& w) { w.facts.native.cuda.probe.outcome = ProbeOutcome::hung; }),
      broken("cuInit crashes", code::probe_crashed,
             [](World& w) {
               w.facts.native.cuda.probe.outcome = ProbeOutcome::crashed;
               w.facts.native.cuda.probe.signal = 11;
             }),
      cu_init("cuInit 2", 2, code::gpu_out_of_memory),
      cu_init("cuInit 3", 3, code::cuda_not_initialized),
      cu_init("cuInit 34", 34, code::cuda_stub_library),
      cu_init("cuInit 35", 35, code::cuda_driver_too_old),
      cu_init("cuInit 46", 46, code::cuda_device_busy),
      cu_init("cuInit 100", 100, code::cuda_no_device),
      cu_init("cuInit 304", 304, code::cuda_os_call_failed),
      cu_init("cuInit 802", 802, code::cuda_fabric_not_ready),
      cu_init("cuInit 803", 803, code::cuda_driver_mismatch),
      cu_init("cuInit 804", 804, code::cuda_forward_compat),
      cu_init("cuInit 805", 805, code::cuda_mps_daemon),
      cu_init("cuInit 999", 999, code::cuda_unknown_error),
      cu_init("cuInit with a code nobody knows", 4711, code::cuda_unknown_error),
      broken("804 with the container's own libcuda", code::cuda_compat_in_container,
             [](World& w) {
               w.facts.native.cuda.probe.code = 804;
               w.facts.native.cuda.probe.library = "/usr/local/cuda/compat/libcuda.so.1";
               w.facts.nvidia.libraries.insert(
                   w.facts.nvidia.libraries.begin(),
                   {"libcuda.so.1", "/usr/local/cuda/compat/libcuda.so.1", "", "590.44.01"});
             }),
      broken("804 with a library newer than the module", code::cuda_driver_not_rebooted,
             [](World& w) {
               w.facts.native.cuda.probe.code = 804;
               w.facts.nvidia.libraries[0].version = "590.44.01";
             }),
      broken("804 and NVML says that versions differ", code::cuda_driver_not_rebooted,
             [](World& w) {
               w.facts.native.cuda.probe.code = 804;
               w.nvml_fails(18);
             }),
      broken("NVML says that versions differ", code::cuda_driver_mismatch,
             [](World& w) { w.nvml_fails(18); }),
      broken("NVML has lost the card", code::gpu_lost, [](World& w) { w.nvml_fails(15); }),
      broken("NVML is kept out by the system", code::cuda_os_call_failed,
             [](World& w) { w.nvml_fails(17); }),
      broken("NVML fails for itself", code::cuda_unknown_error,
             [](World& w) { w.nvml_fails(999); }),
      broken("NVML may not be asked", code::cuda_unknown_error, [](World& w) { w.nvml_fails(4); }),
      broken("NVML misses a module that is loaded", code::cuda_unknown_error,
             [](World& w) { w.nvml_fails(9); }),
      broken("a variable hides the card", code::cuda_devices_hidden,
             [](World& w) {
               w.facts.native.cuda.probe.code = 100;
               w.set("CUDA_VISIBLE_DEVICES", "");
             }),
      broken("a variable names another card", code::cuda_devices_hidden,
             [](World& w) {
               w.facts.native.cuda.probe.code = 100;
               w.set("CUDA_VISIBLE_DEVICES", "GPU-99999999");
             }),
      broken("a variable that lists the card is no cause", code::cuda_no_device,
             [](World& w) {
               w.facts.native.cuda.probe.code = 100;
               w.set("CUDA_VISIBLE_DEVICES", "0");
             }),
      broken("a container was given another card", code::container_no_gpu,
             [](World& w) {
               w.facts.os.container = "podman";
               w.facts.native.cuda.probe = {.outcome = ProbeOutcome::answered};
             }),
      broken("MIG without an instance", code::mig_enabled,
             [](World& w) {
               w.facts.native.cuda.probe.code = 100;
               w.facts.native.nvml.devices[0].mig = true;
             }),
      broken("MIG without an instance, and a variable", code::mig_enabled,
             [](World& w) {
               w.facts.native.cuda.probe.code = 100;
               w.facts.native.nvml.devices[0].mig = true;
               w.set("CUDA_VISIBLE_DEVICES", "");
             }),
      broken("no pack for a card that works", code::cuda_pack_missing,
             [](World& w) {
               w.facts.native = nvidia_machine().facts.native;
               w.packs.pop_back();
             }),
  };
}

}  // namespace

std::vector<Case> nvidia_driver_cases() {
  std::vector<Case> cases = machine_cases();
  for (auto& one : library_cases()) cases.push_back(std::move(one));
  return cases;
}

}  // namespace platform::test
