#include <functional>

#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

// These cases are faults of a pack, a driver's version or a request, with a card that its driver
// lists.
namespace platform::test {
namespace {

using Break = std::function<void(World&)>;

Case with(std::string name, std::string code, Severity severity, const Break& change,
          World world = nvidia_machine()) {
  change(world);
  return {std::move(name), std::move(code), severity, Backend::cuda, std::move(world)};
}

void set_driver(World& world, const std::string& driver, const std::string& cuda) {
  world.facts.nvidia.module_version = world.facts.native.nvml.driver_version = driver;
  world.facts.native.cuda.driver_cuda = cuda;
}

void set_capability(World& world, int major, int minor) {
  world.facts.native.cuda.devices[0].compute_capability = {major, minor};
}

void set_build(World& world, const std::string& torch, const std::string& variant,
               const std::string& cuda, const std::string& cudnn) {
  BuildInfo& build = world.pack(Backend::cuda).build;
  build.torch = torch;
  build.variant = variant;
  build.cuda = cuda;
  build.cudnn = cudnn;
  build.arch_list.clear();
}

void add_library(World& world, const std::string& soname) {
  world.pack(Backend::cuda).libraries.libraries = {
      {soname, "", soname + ": cannot open shared object file"}};
}

std::vector<Case> driver_cases() {
  return {
      with("a driver below the floor of CUDA 13", code::cuda_driver_too_old, Severity::blocked,
           [](World& w) { set_driver(w, "570.172.08", "12.8"); }),
      with(
          "WSL: a driver for CUDA 12", code::cuda_driver_too_old, Severity::blocked,
          [](World& w) { w.facts.native.cuda.driver_cuda = "12.8"; }, wsl_machine()),
      with("a driver older than the toolkit", code::cuda_driver_older_than_toolkit, Severity::note,
           [](World& w) { set_driver(w, "580.01", "13.0"); }),
      with("a Blackwell card with a driver from before it", code::cuda_driver_too_old_for_card,
           Severity::blocked,
           [](World& w) {
             set_build(w, "2.8.0", "cu128", "12.8", "9.10.2.21");
             set_capability(w, 12, 0);
             set_driver(w, "565.57.01", "12.7");
           }),
  };
}

std::vector<Case> kernel_cases() {
  return {
      with("a card older than the kernels", code::cuda_no_kernel_image, Severity::blocked,
           [](World& w) { set_capability(w, 6, 1); }),
      with("a card newer than the kernels", code::cuda_no_kernel_image, Severity::blocked,
           [](World& w) { set_capability(w, 13, 0); }),
      with("no kernels by the matrix alone", code::cuda_no_kernel_image, Severity::blocked,
           [](World& w) {
             set_build(w, "2.11.0", "cu130", "13.0", "9.19.0.56");
             set_capability(w, 7, 0);
           }),
      with("sources disagree about the kernels", code::cuda_kernels_uncertain, Severity::unknown,
           [](World& w) {
             set_build(w, "2.8.0", "cu128", "12.8", "9.10.2.21");
             set_capability(w, 7, 0);
           }),
      with("nothing is known of the kernels", code::cuda_kernels_uncertain, Severity::unknown,
           [](World& w) { set_build(w, "2.99.0", "cu130", "13.0", "9.19.0.56"); }),
      with("the card does not say its architecture", code::cuda_kernels_uncertain,
           Severity::unknown,
           [](World& w) {
             set_capability(w, 0, 0);
             w.facts.pci[0].device = 0xfffe;
           }),
      with("an architecture that the matrix does not know", code::precision_unknown,
           Severity::unknown,
           [](World& w) {
             set_capability(w, 13, 0);
             w.pack(Backend::cuda).build.arch_list.push_back({13, 0});
           }),
      with("PTX that the driver may compile", code::cuda_kernels_uncertain, Severity::unknown,
           [](World& w) {
             w.pack(Backend::cuda).build.ptx_list = {{12, 0}};
             set_capability(w, 13, 0);
           }),
      with("PTX that is too new for the driver", code::cuda_unsupported_ptx, Severity::blocked,
           [](World& w) {
             w.pack(Backend::cuda).build.ptx_list = {{12, 0}};
             w.pack(Backend::cuda).build.cuda = "13.2";
             set_capability(w, 13, 0);
           }),
  };
}

std::vector<Case> library_cases() {
  return {
      with("cuDNN 9 lacks a part", code::cudnn9_missing, Severity::blocked,
           [](World& w) { add_library(w, "libcudnn_ops.so.9"); }),
      with("cuDNN 8 lacks a part", code::cudnn8_missing, Severity::blocked,
           [](World& w) { add_library(w, "libcudnn_ops_infer.so.8"); }),
      with("an older cuDNN is loaded", code::cudnn_version_mismatch, Severity::blocked,
           [](World& w) { w.pack(Backend::cuda).libraries.cudnn = "9.1.0"; }),
      with("another major of cuDNN is loaded", code::cudnn_version_mismatch, Severity::blocked,
           [](World& w) { w.pack(Backend::cuda).libraries.cudnn = "10.20.0"; }),
      with("cuDNN has dropped the card", code::cudnn_too_new_for_card, Severity::blocked,
           [](World& w) {
             w.pack(Backend::cuda).build.arch_list.push_back({7, 0});
             set_capability(w, 7, 0);
           }),
      with("the parts of cuDNN differ", code::cudnn_version_mismatch, Severity::blocked,
           [](World& w) {
             w.pack(Backend::cuda).libraries.probe = {
                 .outcome = ProbeOutcome::failed,
                 .function = "cudnnOpsVersionCheck",
                 .code_name = "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH"};
           }),
      with("cuDNN ends the process for want of a part", code::cudnn9_missing, Severity::blocked,
           [](World& w) {
             w.pack(Backend::cuda).libraries.probe = {
                 .outcome = ProbeOutcome::crashed,
                 .text = "Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9}",
                 .signal = 6};
           }),
      with("the pack lacks a library", code::pack_library_missing, Severity::blocked,
           [](World& w) { add_library(w, "libcublas.so.13"); }),
      with("the pack's libraries were not asked", code::probe_not_started, Severity::unknown,
           [](World& w) {
             w.pack(Backend::cuda).libraries = {.probe = {.outcome = ProbeOutcome::not_started}};
           }),
      with("the pack's libraries hang", code::probe_hung, Severity::blocked,
           [](World& w) { w.pack(Backend::cuda).libraries.probe.outcome = ProbeOutcome::hung; }),
      with("the pack's libraries crash", code::probe_crashed, Severity::blocked,
           [](World& w) {
             w.pack(Backend::cuda).libraries.probe = {
                 .outcome = ProbeOutcome::crashed, .function = "cudnnGetVersion", .signal = 6};
           }),
  };
}

std::vector<Case> build_cases() {
  return {
      with("a release without a row", code::torch_unknown, Severity::unknown,
           [](World& w) { w.pack(Backend::cuda).build.torch = "2.99.0"; }),
      with("a release that is only planned", code::torch_unknown, Severity::unknown,
           [](World& w) { w.pack(Backend::cuda).build.torch = "2.15.0"; }),
      with("a build that does not say its release", code::torch_unknown, Severity::unknown,
           [](World& w) { w.pack(Backend::cuda).build.torch = ""; }),
      with("the tested build with issues", code::tested_with_issues, Severity::degraded,
           [](World& w) { set_build(w, "2.7.1", "cu118", "11.8", "9.1.0.70"); }),
  };
}

std::vector<Case> wish_cases() {
  return {
      with("bfloat16 that is emulated", code::precision_slow, Severity::degraded,
           [](World& w) {
             set_capability(w, 7, 5);
             w.request.compute_type = "bfloat16";
           }),
      with("float16 on a card without the units for it", code::precision_slow, Severity::degraded,
           [](World& w) {
             set_build(w, "2.11.0", "cu126", "12.6", "9.10.2.21");
             set_capability(w, 6, 1);
             w.request.compute_type = "float16";
           }),
      with("bfloat16 on a card that has none", code::precision_not_supported, Severity::blocked,
           [](World& w) {
             set_build(w, "2.11.0", "cu126", "12.6", "9.10.2.21");
             set_capability(w, 6, 1);
             w.request.compute_type = "bfloat16";
           }),
      with("attention that is not fused for the type", code::attention_not_fused, Severity::note,
           [](World& w) {
             set_capability(w, 7, 5);
             w.request.compute_type = "bfloat16";
           }),
      with("NVML is not there", code::nvml_unavailable, Severity::note,
           [](World& w) {
             w.facts.native.nvml = {.probe = {.outcome = ProbeOutcome::library_missing}};
           }),
      with("NVML refuses this user", code::nvml_permission, Severity::note,
           [](World& w) {
             w.facts.native.nvml = {.probe = {.outcome = ProbeOutcome::failed, .code = 4}};
           }),
      with("a MIG instance", code::mig_enabled, Severity::note,
           [](World& w) { w.facts.native.nvml.devices[0].mig = true; }),
      with("a variable is set", code::environment_set, Severity::note,
           [](World& w) { w.set("CUDA_VISIBLE_DEVICES", "0"); }),
      with("the model does not fit", code::memory_too_small, Severity::blocked,
           [](World& w) { w.facts.native.nvml.devices[0].free_memory = 600 * mib; }),
      with("the model fits narrowly", code::memory_tight, Severity::degraded,
           [](World& w) { w.facts.native.nvml.devices[0].free_memory = 700 * mib; }),
      with("an index beyond the last", code::no_such_device, Severity::blocked,
           [](World& w) {
             w.facts.native.cuda.devices.clear();
             w.facts.native.cuda.devices = nvidia_machine().facts.native.cuda.devices;
             w.request.device = {Backend::cuda, 3};
           }),
  };
}

}  // namespace

std::vector<Case> cuda_device_cases() {
  std::vector<Case> all;
  for (const auto cases : {driver_cases, kernel_cases, library_cases, build_cases, wish_cases}) {
    for (auto& one : cases()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace platform::test
