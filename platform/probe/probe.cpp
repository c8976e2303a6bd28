#include "platform/probe/probe.h"

#include <functional>

#include "platform/probe/answer.h"
#include "platform/probe/child.h"
#include "platform/probe/native_probe.h"
#include "platform/probe/reasons.h"

namespace platform {
namespace {

ChildCommand probe_command(const ProbeSettings& settings, const char* kind,
                           const std::vector<std::filesystem::path>& folders = {}) {
  ChildCommand command{settings.program, {"probe", kind}};
  for (const auto& folder : folders) command.arguments.push_back(folder.string());
  return command;
}

// Completes the facts of a HIP without architecture names (before ROCm 6) from those of the kernel.
void complete_gfx(HipFacts& hip, const AmdFacts& amd) {
  for (auto& device : hip.devices) {
    if (!device.gfx.empty()) continue;
    for (const auto& node : amd.nodes) {
      if (node.pci_address == device.pci_address) device.gfx = node.gfx;
    }
  }
}

}  // namespace

Vendors worth_asking(const Facts& facts) {
  const bool nvidia = worth_asking_nvidia(facts);
  return {.cuda = nvidia,
          .nvml = nvidia,
          .hip = worth_asking_amd(facts),
          .metal = worth_asking_apple(facts)};
}

NativeFacts probe_vendors(const Vendors& vendors, const Facts& facts,
                          const ProbeSettings& settings) {
  NativeFacts native;
  std::vector<ChildCommand> commands;
  std::vector<std::function<void(const ChildEnd&)>> readers;
  const auto ask = [&](bool wanted, ChildCommand command, auto& result) {
    if (!wanted) return;
    commands.push_back(std::move(command));
    readers.emplace_back([&result](const ChildEnd& end) {
      result = facts_of<std::remove_reference_t<decltype(result)>>(end);
    });
  };
  ask(vendors.cuda, probe_command(settings, "cuda"), native.cuda);
  ask(vendors.nvml, probe_command(settings, "nvml"), native.nvml);
  ask(vendors.hip, probe_command(settings, "hip", settings.rocm_packs), native.hip);
  ask(vendors.metal, probe_command(settings, "metal"), native.metal);

  const auto ends = run_children(commands, settings.limit);
  for (std::size_t i = 0; i < ends.size(); ++i) readers[i](ends[i]);
  complete_gfx(native.hip, facts.amd);
  return native;
}

NativeFacts probe_native(const Facts& facts, const ProbeSettings& settings) {
  return probe_vendors(worth_asking(facts), facts, settings);
}

PackLibraries probe_pack(const PackPlace& pack, const ProbeSettings& settings) {
  ChildCommand command = probe_command(settings, "pack", {pack.folder});
  command.library_path = pack.library_path;
  const auto ends = run_children({command}, settings.limit);
  return facts_of<PackLibraries>(ends.front());
}

}  // namespace platform
