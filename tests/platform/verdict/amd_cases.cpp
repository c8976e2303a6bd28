#include <cerrno>
#include <functional>

#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

using Break = std::function<void(World&)>;

Case with(std::string name, std::string code, Severity severity, const Break& change) {
  World world = amd_machine();
  change(world);
  return {std::move(name), std::move(code), severity, Backend::rocm, std::move(world)};
}

// Returns a case in which HIP lists nothing, for a reason that `change` makes.
Case broken(std::string name, std::string code, const Break& change) {
  return with(std::move(name), std::move(code), Severity::blocked, [&](World& world) {
    world.hip_answers({.outcome = ProbeOutcome::failed,
                       .library = "/opt/rocm/lib/libamdhip64.so.7",
                       .function = "hipInit",
                       .code = 100,
                       .code_name = "hipErrorNoDevice"});
    change(world);
  });
}

void set_gfx(World& world, const std::string& gfx, const std::string& name) {
  world.facts.native.hip.devices[0].gfx = world.facts.amd.nodes[0].gfx = gfx;
  world.facts.native.hip.devices[0].name = name;
}

void make_navi22(World& world) {
  set_gfx(world, "gfx1031", "AMD Radeon RX 6700 XT");
}

std::vector<Case> driver_cases() {
  return {
      broken("a virtual machine's driver has the card", code::card_in_other_hands,
             [](World& w) { w.facts.pci[0].driver = "vfio-pci"; }),
      broken("no kernel module", code::amdgpu_module_missing,
             [](World& w) {
               w.facts.pci[0].driver = "";
               w.facts.amd = {};
             }),
      broken("no KFD", code::kfd_missing, [](World& w) { w.facts.amd.kfd.exists = false; }),
      broken("no KFD in a container", code::kfd_missing,
             [](World& w) {
               w.facts.amd.kfd.exists = false;
               w.facts.os.container = "docker";
             }),
      broken("KFD may not be opened", code::kfd_permission,
             [](World& w) { w.facts.amd.kfd.open_error = EACCES; }),
      broken("the render node may not be opened", code::kfd_permission,
             [](World& w) { w.facts.amd.render[0].open_error = EACCES; }),
      broken("WSL without KFD", code::rocm_on_wsl,
             [](World& w) {
               w.facts.os.wsl = true;
               w.facts.amd.kfd.exists = false;
             }),
      broken("no HIP library", code::rocm_not_installed,
             [](World& w) {
               w.hip_answers({.outcome = ProbeOutcome::library_missing});
               w.facts.amd.libraries.clear();
             }),
      broken("the loader refuses HIP's library", code::hip_library_broken,
             [](World& w) {
               w.hip_answers({.outcome = ProbeOutcome::library_missing,
                              .library = "libamdhip64.so.7",
                              .text = "/opt/rocm/lib/libamdhip64.so.7: file too short"});
               w.facts.amd.libraries.clear();
             }),
      broken("HIP's library lies where the loader does not look", code::hip_library_broken,
             [](World& w) { w.hip_answers({.outcome = ProbeOutcome::library_missing}); }),
      broken("HIP was not asked", code::probe_not_started,
             [](World& w) {
               w.hip_answers({.outcome = ProbeOutcome::not_started});
               w.set("HIP_VISIBLE_DEVICES", "-1");
             }),
      broken("HIP hangs while it is loaded", code::hip_library_hangs,
             [](World& w) {
               w.hip_answers(
                   {.outcome = ProbeOutcome::hung, .function = "dlopen libamdhip64.so.7"});
             }),
      broken(
          "HIP hangs when it starts", code::probe_hung,
          [](World& w) { w.hip_answers({.outcome = ProbeOutcome::hung, .function = "hipInit"}); }),
      broken("HIP crashes", code::probe_crashed,
             [](World& w) {
               w.hip_answers(
                   {.outcome = ProbeOutcome::crashed, .function = "hipInit", .signal = 6});
             }),
      broken("a variable hides the card", code::hip_devices_hidden,
             [](World& w) { w.set("HIP_VISIBLE_DEVICES", "-1"); }),
      broken("HIP sees no device", code::hip_no_device, [](World&) {}),
      broken("a variable that lists the card is no cause", code::hip_no_device,
             [](World& w) { w.set("HIP_VISIBLE_DEVICES", "0"); }),
      broken("WSL without KFD or a bus", code::rocm_on_wsl,
             [](World& w) {
               w.facts.pci.clear();
               w.facts.os.wsl = true;
               w.facts.amd = {.libraries = w.facts.amd.libraries};
             }),
      broken("a KFD without a bus", code::hip_failed,
             [](World& w) {
               w.facts.pci.clear();
               w.facts.amd.nodes.clear();
               w.facts.native.hip.probe.code = 3;
             }),
      broken("a KFD without a bus, where HIP crashes", code::probe_crashed,
             [](World& w) {
               w.facts.pci.clear();
               w.facts.amd.nodes.clear();
               w.hip_answers({.outcome = ProbeOutcome::crashed, .signal = 6});
             }),
      broken("HIP lists nothing", code::hip_no_device,
             [](World& w) { w.hip_answers({.outcome = ProbeOutcome::answered}); }),
      broken("HIP does not start", code::hip_failed,
             [](World& w) { w.facts.native.hip.probe.code = 3; }),
      broken("HIP fails with a code nobody knows", code::hip_failed,
             [](World& w) { w.facts.native.hip.probe.code = 4711; }),
      broken("a card from before ROCm", code::hip_no_device,
             [](World& w) { w.facts.pci[0].driver = "radeon"; }),
  };
}

std::vector<Case> device_cases() {
  return {
      with("no pack for a card that works", code::rocm_pack_missing, Severity::blocked,
           [](World& w) { w.packs.pop_back(); }),
      with("no kernels for the card", code::hip_no_kernels, Severity::blocked, make_navi22),
      with("sources disagree about the kernels", code::hip_kernels_uncertain, Severity::unknown,
           [](World& w) { w.pack(Backend::rocm).build = {.backend = Backend::rocm}; }),
      with("the card does not say its name", code::hip_kernels_uncertain, Severity::unknown,
           [](World& w) {
             set_gfx(w, "", "AMD Radeon Graphics");
             w.facts.pci[0].device = 0xfffe;
           }),
      with("an architecture that the matrix does not know", code::precision_unknown,
           Severity::unknown,
           [](World& w) {
             set_gfx(w, "gfx1300", "AMD Radeon Nova");
             w.pack(Backend::rocm).build.gfx_list.push_back("gfx1300");
             w.pack(Backend::rocm).libraries.rocblas_gfx.push_back("gfx1300");
           }),
      with("rocBLAS has no files for the card", code::rocblas_no_kernels, Severity::blocked,
           [](World& w) { set_gfx(w, "gfx906", "AMD Radeon VII"); }),
      with("the pack lacks rocBLAS", code::pack_library_missing, Severity::blocked,
           [](World& w) {
             w.pack(Backend::rocm).libraries.libraries = {{"librocblas.so.5", "", "not found"}};
           }),
      with("rocBLAS has dropped the card, by the matrix", code::rocblas_no_kernels,
           Severity::blocked,
           [](World& w) {
             set_gfx(w, "gfx906", "AMD Radeon VII");
             w.pack(Backend::rocm).libraries.rocblas_gfx.clear();
           }),
      with("a chip that computes NaN", code::gfx_computes_wrong, Severity::blocked,
           [](World& w) { set_gfx(w, "gfx1033", "AMD Custom GPU 0405"); }),
      with("a chip that computes NaN, without a pack", code::gfx_computes_wrong, Severity::blocked,
           [](World& w) {
             set_gfx(w, "gfx1033", "AMD Custom GPU 0405");
             w.packs.pop_back();
           }),
      with("an override in the family", code::hsa_override_set, Severity::degraded,
           [](World& w) {
             make_navi22(w);
             w.set("HSA_OVERRIDE_GFX_VERSION", "10.3.0");
           }),
      with("an override across families", code::hsa_override_harmful, Severity::blocked,
           [](World& w) {
             set_gfx(w, "gfx1010", "AMD Radeon RX 5700 XT");
             w.set("HSA_OVERRIDE_GFX_VERSION", "10.3.0");
           }),
      with("bfloat16 without the units for it", code::precision_slow, Severity::degraded,
           [](World& w) {
             set_gfx(w, "gfx1030", "AMD Radeon RX 6800");
             w.request.compute_type = "bfloat16";
           }),
      with("attention that is not fused", code::attention_not_fused, Severity::note,
           [](World& w) { set_gfx(w, "gfx1030", "AMD Radeon RX 6800"); }),
      with("the model does not fit", code::memory_too_small, Severity::blocked,
           [](World& w) { w.facts.native.hip.devices[0].free_memory = 600 * mib; }),
      with("a variable is set", code::environment_set, Severity::note,
           [](World& w) { w.set("HIP_VISIBLE_DEVICES", "0"); }),
      with("a release without a row", code::torch_unknown, Severity::unknown,
           [](World& w) { w.pack(Backend::rocm).build.torch = "2.99.0"; }),
  };
}

}  // namespace

std::vector<Case> amd_cases() {
  std::vector<Case> all = driver_cases();
  for (auto& one : device_cases()) all.push_back(std::move(one));
  return all;
}

}  // namespace platform::test
