#include <algorithm>

#include "platform/verdict/amd_checks.h"
#include "platform/verdict/apple_card.h"
#include "platform/verdict/card.h"
#include "platform/verdict/cpu_device.h"
#include "platform/verdict/finding_codes.h"
#include "platform/verdict/nvidia_checks.h"

namespace platform {
namespace {

std::vector<Pack> installed_packs(const std::vector<Pack>& packs, Backend backend) {
  std::vector<Pack> own;
  for (const auto& pack : packs) {
    if (pack.build.backend == backend && pack.is_ready()) own.push_back(pack);
  }
  return own;
}

// Returns the packs of one backend, also those whose libraries are still to be fetched; if there is
// none, a pack without a worker, so that its cards still get a verdict.
std::vector<Pack> packs_of(const std::vector<Pack>& packs, Backend backend) {
  std::vector<Pack> own;
  for (const auto& pack : packs) {
    if (pack.build.backend == backend && !pack.worker.empty()) own.push_back(pack);
  }
  if (own.empty()) own.push_back({.build = {.backend = backend}});
  return own;
}

// Returns the packs that can use the CPU, which is every build. One for ROCm may hang where its
// library has shown no card.
std::vector<Pack> packs_for_cpu(const Facts& facts, const std::vector<Pack>& packs) {
  std::vector<Backend> backends{Backend::cpu, Backend::cuda, Backend::mps};
  if (!facts.native.hip.devices.empty()) backends.push_back(Backend::rocm);
  for (const Backend backend : backends) {
    std::vector<Pack> own = installed_packs(packs, backend);
    if (backend != Backend::cpu && own.size() > 1) own.resize(1);
    if (!own.empty()) return own;
  }
  return packs_of({}, Backend::cpu);
}

Verdict judge_other_card(const Facts& facts, const Matrix& matrix,
                         const DeviceRequirements& request, const Card& card) {
  Judgement judgement{facts, matrix, request};
  judgement.verdict.backend = Backend::cpu;
  judgement.verdict.device_name = card.name;
  judgement.verdict.pci_address = card.pci_address;
  judgement.add(code::gpu_not_supported, Severity::blocked,
                {card.pci && !card.pci->driver.empty() ? card.pci->driver : "another maker",
                 "a GPU of NVIDIA, AMD or Apple", "/sys/bus/pci/devices/" + card.pci_address});
  return std::move(judgement).conclude();
}

struct Place {
  const Facts& facts;
  const Matrix& matrix;
  const std::vector<Pack>& packs;
  const DeviceRequirements& request;
};

using JudgeCard = Verdict (*)(const Facts&, const Matrix&, const DeviceRequirements&, const Pack&,
                              const Card&);

void judge_cards(std::vector<Verdict>& verdicts, const Place& place, Backend backend,
                 const std::vector<Card>& cards, JudgeCard judge) {
  for (const auto& pack : packs_of(place.packs, backend)) {
    for (const auto& card : cards) {
      verdicts.push_back(judge(place.facts, place.matrix, place.request, pack, card));
    }
  }
}

// Returns false if the device will not be found: no card of the backend, or an index beyond
// those that its driver lists. While the driver lists none, its cards match every index.
bool is_there(const std::vector<Verdict>& verdicts, const DeviceRequest& wanted) {
  bool any = false, any_listed = false, match = false;
  for (const auto& verdict : verdicts) {
    if (wanted.backend && verdict.backend != *wanted.backend) continue;
    any = true;
    any_listed |= verdict.index.has_value();
    match |= verdict.index == wanted.index;
  }
  return wanted.index && any_listed ? match : any;
}

// Returns the names of the devices. The same name twice is one device under two packs.
std::string names_of(const std::vector<Verdict>& verdicts, std::optional<Backend> backend) {
  std::vector<std::string> names;
  for (const auto& verdict : verdicts) {
    if (!verdict.index || (backend && verdict.backend != *backend)) continue;
    std::string text = verdict.device() + " " + verdict.device_name;
    if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(text);
  }
  return names.empty() ? "none" : joined(names);
}

struct Absence {
  const char* code;
  Evidence evidence;
};

Absence no_card_of(const char* maker, bool any_other) {
  const std::string card = std::string(maker) + " card";
  return {any_other ? code::no_such_device : code::no_gpu,
          {"no " + card, "one", "/sys/bus/pci/devices"}};
}

Absence why_absent(const Facts& facts, const DeviceRequest& wanted,
                   const std::vector<Verdict>& verdicts, const std::string& title) {
  const bool any_other = !verdicts.empty() || !facts.pci.empty();
  if (wanted.index) {
    return {code::no_such_device, {names_of(verdicts, wanted.backend), title, "the driver's list"}};
  }
  if (wanted.backend == Backend::mps) {
    const std::string system = facts.os.name.empty() ? "another system" : facts.os.name;
    return {code::mps_no_metal, {system, "macOS", "the operating system"}};
  }
  if (wanted.backend == Backend::cuda) {
    // In WSL the cards belong to Windows, so that only its driver can be missing.
    if (!facts.os.wsl) return no_card_of("NVIDIA", any_other);
    return {code::cuda_no_driver, {"no libcuda.so.1", "the driver of Windows", "/usr/lib/wsl/lib"}};
  }
  if (facts.os.wsl && !facts.amd.kfd.exists) {
    return {code::rocm_on_wsl, {"no /dev/kfd", "ROCm's libhsa-runtime64 for WSL", "/dev/kfd"}};
  }
  if (facts.native.hip.probe.outcome == ProbeOutcome::hung) {
    return {code::hip_library_hangs, {"no answer", "an answer", "loading libamdhip64.so"}};
  }
  return no_card_of("AMD", any_other);
}

// Says why a device that was asked for by name is not among the verdicts.
Verdict judge_absent(const Place& place, const std::vector<Verdict>& verdicts) {
  const DeviceRequest& wanted = place.request.device;
  const std::string title =
      wanted.backend ? to_string(wanted) : "GPU " + std::to_string(wanted.index.value_or(0));
  Judgement judgement{place.facts, place.matrix, place.request};
  Verdict& verdict = judgement.verdict;
  verdict.backend = wanted.backend.value_or(Backend::cuda);
  verdict.index = wanted.index;
  verdict.pack = packs_of(place.packs, verdict.backend).front();
  verdict.device_name = place.facts.os.wsl && !wanted.index ? "the GPU of Windows" : title;
  Absence absence = why_absent(place.facts, wanted, verdicts, title);
  judgement.add(absence.code, Severity::blocked, std::move(absence.evidence), title);
  return std::move(judgement).conclude();
}

}  // namespace

std::vector<Verdict> evaluate(const Facts& facts, const Matrix& matrix,
                              const std::vector<Pack>& packs, const DeviceRequirements& request) {
  const Place place{facts, matrix, packs, request};
  std::vector<Verdict> verdicts;
  const bool wants_cuda = !installed_packs(packs, Backend::cuda).empty();
  judge_cards(verdicts, place, Backend::cuda, nvidia_cards(facts, matrix, wants_cuda),
              judge_nvidia_card);
  judge_cards(verdicts, place, Backend::rocm, amd_cards(facts, matrix), judge_amd_card);
  judge_cards(verdicts, place, Backend::mps, apple_cards(facts), judge_apple_card);
  const bool wants_gpu =
      request.device.index || (request.device.backend && *request.device.backend != Backend::cpu);
  if (wants_gpu && !is_there(verdicts, request.device)) {
    verdicts.push_back(judge_absent(place, verdicts));
  }
  for (const auto& card : other_cards(facts, matrix)) {
    verdicts.push_back(judge_other_card(facts, matrix, request, card));
  }
  for (const auto& pack : packs_for_cpu(facts, packs)) {
    verdicts.push_back(judge_cpu(facts, matrix, request, pack));
  }
  return verdicts;
}

}  // namespace platform
