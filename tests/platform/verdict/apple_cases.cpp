#include <functional>

#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

Case with(std::string name, std::string code, Severity severity,
          const std::function<void(World&)>& change) {
  World world = apple_machine();
  change(world);
  return {std::move(name), std::move(code), severity, Backend::mps, std::move(world)};
}

}  // namespace

std::vector<Case> apple_cases() {
  const auto metal = [](World& w) -> MetalFacts& { return w.facts.native.metal; };
  return {
      with("no pack", code::mps_pack_missing, Severity::blocked,
           [](World& w) { w.packs.pop_back(); }),
      with("no Metal device", code::mps_no_metal, Severity::blocked,
           [=](World& w) { metal(w).devices.clear(); }),
      with("Metal was not asked", code::probe_not_started, Severity::blocked,
           [=](World& w) { metal(w) = {.probe = {.outcome = ProbeOutcome::not_started}}; }),
      with("Rosetta", code::mps_rosetta, Severity::blocked,
           [=](World& w) { metal(w).rosetta = true; }),
      with("a low-power GPU", code::mps_card_not_supported, Severity::blocked,
           [=](World& w) { metal(w).devices[0].low_power = true; }),
      with("a GPU of an old family", code::mps_card_not_supported, Severity::blocked,
           [=](World& w) { metal(w).devices[0].mac2 = false; }),
      with("an old macOS", code::mps_macos_too_old, Severity::blocked,
           [=](World& w) { metal(w).macos_version = "13.6"; }),
      with("a release whose macOS nobody knows", code::torch_unknown, Severity::unknown,
           [](World& w) { w.pack(Backend::mps).build.torch = "2.99.0"; }),
      with("bfloat16 before macOS 14", code::mps_bfloat16, Severity::blocked,
           [=](World& w) {
             metal(w).macos_version = "13.6";
             w.pack(Backend::mps).build.torch = "2.8.0";
             w.request.compute_type = "bfloat16";
           }),
      with("the model does not fit", code::memory_too_small, Severity::blocked,
           [=](World& w) { metal(w).devices[0].recommended_working_set = 600 * mib; }),
  };
}

}  // namespace platform::test
