#include <fmt/format.h>

#include <algorithm>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/nvidia_checks.h"
#include "platform/verdict/probe_start.h"
#include "platform/verdict/visible_devices.h"

namespace platform {
namespace {

constexpr int cuda_no_device = 100;
constexpr int cuda_compat_not_supported = 804;

std::string answer_of(const ProbeResult& probe) {
  return probe.code_name.empty() ? std::to_string(probe.code)
                                 : fmt::format("{} {}", probe.code, probe.code_name);
}

bool library_hangs(Judgement& judgement, const Card&) {
  const ProbeResult& probe = judgement.facts.native.cuda.probe;
  if (probe.outcome != ProbeOutcome::hung) return false;
  const std::string call = call_of(probe, "libcuda.so.1");
  judgement.add(code::probe_hung, Severity::blocked, {"no answer from " + call, "an answer", call},
                call);
  return true;
}

bool library_crashes(Judgement& judgement, const Card&) {
  const ProbeResult& probe = judgement.facts.native.cuda.probe;
  if (probe.outcome != ProbeOutcome::crashed) return false;
  const std::string call = call_of(probe, "libcuda.so.1");
  const std::string found =
      probe.signal ? fmt::format("signal {} in {}", probe.signal, call) : "no answer from " + call;
  judgement.add(code::probe_crashed, Severity::blocked, {found, "an answer", call}, call);
  return true;
}

// Returns the finding of NVML's status code; empty if NVML answered, or reports nothing
// specific.
std::string finding_of_nvml(const Judgement& judgement) {
  const ProbeResult& nvml = judgement.facts.native.nvml.probe;
  if (nvml.outcome != ProbeOutcome::failed) return "";
  const StatusCodeRow* row = judgement.matrix.find_status("nvml", nvml.code);
  return row ? row->finding : "";
}

// NVML reports some causes better than cuInit does. What concerns NVML alone is no cause here.
bool nvml_knows_why(Judgement& judgement, const Card&) {
  const ProbeResult& nvml = judgement.facts.native.nvml.probe;
  const std::string code = finding_of_nvml(judgement);
  const bool about_nvml = code == code::nvml_unavailable || code == code::nvml_permission;
  const bool denied_by_facts =
      code == code::nvidia_module_missing && !judgement.facts.nvidia.module_version.empty();
  if (code.empty() || about_nvml || denied_by_facts) return false;
  if (judgement.facts.native.cuda.probe.code == cuda_compat_not_supported) return false;
  judgement.add(code.c_str(), Severity::blocked,
                {answer_of(nvml), "", call_of(nvml, "libnvidia-ml.so.1")}, answer_of(nvml));
  return true;
}

// Returns the file that was loaded, as the loader's folders show it.
LibraryFile loaded_libcuda(const Facts& facts) {
  const std::string& loaded = facts.native.cuda.probe.library;
  const LibraryFile* first = nullptr;
  for (const auto& library : facts.nvidia.libraries) {
    if (!library.soname.starts_with("libcuda.so")) continue;
    if (library.path == loaded || library.target == loaded) return library;
    if (!first) first = &library;
  }
  return first ? *first : LibraryFile{.path = loaded, .target = loaded};
}

bool is_for_forward_compatibility(const LibraryFile& library) {
  return library.path.find("/compat/") != std::string::npos ||
         library.target.find("/compat/") != std::string::npos;
}

// Explains one code that stands for three mistakes: a container's own libcuda, a driver updated
// without a reboot, and forward compatibility for a card that has none.
void explain_compat_error(Judgement& judgement) {
  const Facts& facts = judgement.facts;
  const LibraryFile library = loaded_libcuda(facts);
  const std::string& module = facts.nvidia.module_version;
  const bool versions_differ =
      !library.version.empty() && !module.empty() && library.version != module;
  const bool nvml_says_so = finding_of_nvml(judgement) == code::cuda_driver_mismatch;
  if (is_for_forward_compatibility(library)) {
    judgement.add(code::cuda_compat_in_container, Severity::blocked,
                  {library.path, "libcuda of the host's driver", "the loader's folders"},
                  library.path);
  } else if (versions_differ) {
    judgement.add(code::cuda_driver_not_rebooted, Severity::blocked,
                  {library.version, module, library.path + ", " + facts.nvidia.module_read_from});
  } else if (nvml_says_so) {
    judgement.add(code::cuda_driver_not_rebooted, Severity::blocked,
                  {answer_of(facts.native.nvml.probe), "", "NVML"});
  } else {
    const ProbeResult& probe = facts.native.cuda.probe;
    judgement.add(code::cuda_forward_compat, Severity::blocked,
                  {answer_of(probe), "a driver as new as the CUDA that is used",
                   call_of(probe, "libcuda.so.1")});
  }
}

HiddenCard describe(const Facts& facts, const Card& card) {
  const auto on_bus = std::count_if(facts.pci.begin(), facts.pci.end(),
                                    [](const PciGpu& pci) { return pci.vendor == vendor_nvidia; });
  return {.uuid = card.nvml ? card.nvml->uuid : "",
          .cards = std::max(facts.native.nvml.devices.size(), static_cast<std::size_t>(on_bus)),
          .others_listed = !facts.native.cuda.devices.empty()};
}

bool card_is_hidden(Judgement& judgement, const Card& card) {
  const Facts& facts = judgement.facts;
  if (card.nvml && card.nvml->mig) {
    judgement.add(code::mig_enabled, Severity::blocked,
                  {"MIG mode without an instance for this process", "a MIG instance", "NVML"});
    return true;
  }
  const std::string* visible = find_variable(facts, "CUDA_VISIBLE_DEVICES");
  if (visible && hides(*visible, describe(facts, card))) {
    judgement.add(
        code::cuda_devices_hidden, Severity::blocked,
        {"CUDA_VISIBLE_DEVICES=" + *visible, "a value that lists the card", "CUDA_VISIBLE_DEVICES"},
        "CUDA_VISIBLE_DEVICES=" + *visible);
    return true;
  }
  if (facts.os.container.empty() || facts.native.cuda.probe.outcome != ProbeOutcome::answered) {
    return false;
  }
  judgement.add(code::container_no_gpu, Severity::blocked,
                {"not given to this container", "a container started with access to the GPU",
                 "cuDeviceGetCount"},
                facts.os.container);
  return true;
}

bool call_failed(Judgement& judgement, const Card& card) {
  const ProbeResult& probe = judgement.facts.native.cuda.probe;
  if (probe.outcome != ProbeOutcome::failed) return false;
  if (probe.code == cuda_compat_not_supported) {
    explain_compat_error(judgement);
    return true;
  }
  if (probe.code == cuda_no_device && card_is_hidden(judgement, card)) return true;
  const StatusCodeRow* row = judgement.matrix.find_status("cuda", probe.code);
  const std::string code = row && !row->finding.empty() ? row->finding : code::cuda_unknown_error;
  judgement.add(code.c_str(), Severity::blocked,
                {answer_of(probe), "", call_of(probe, "libcuda.so.1")}, answer_of(probe));
  return true;
}

bool is_left_out(Judgement& judgement, const Card& card) {
  return judgement.facts.native.cuda.probe.outcome == ProbeOutcome::answered &&
         card_is_hidden(judgement, card);
}

constexpr bool (*causes[])(Judgement&, const Card&) = {
    library_hangs, library_crashes, nvml_knows_why, call_failed, is_left_out,
};

}  // namespace

bool nvidia_library_fails(Judgement& judgement, const Card& card) {
  const ProbeResult& probe = judgement.facts.native.cuda.probe;
  if (probe_did_not_start(judgement, probe, Severity::blocked)) return true;
  for (const auto cause : causes) {
    if (cause(judgement, card)) return true;
  }
  return false;
}

}  // namespace platform
