#include "platform/verdict/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/make_finding.h"

namespace platform {
namespace {

bool is_gpu(const Verdict& verdict) {
  return verdict.backend != Backend::cpu;
}
bool is_cpu(const Verdict& verdict) {
  return !is_gpu(verdict) && verdict.pci_address.empty();
}

bool wants_cpu(const DeviceRequirements& request) {
  return request.device.backend == Backend::cpu;
}
bool wants_anything(const DeviceRequirements& request) {
  return !request.device.backend && !request.device.index;
}

// Returns whether the request means this device. A card without an index matches any, because its
// driver does not count it.
bool is_wanted(const Verdict& verdict, const DeviceRequest& wanted) {
  if (wanted.backend && verdict.backend != *wanted.backend) return false;
  return !wanted.index || !verdict.index || verdict.index == wanted.index;
}

int rank(Status status) {
  switch (status) {
    case Status::ok:
    case Status::ok_with_notes:
      return 0;
    case Status::degraded:
      return 1;
    case Status::unknown:
      return 2;
    case Status::blocked:
      break;
  }
  return 3;
}

// Returns the memory that stays free besides the model, from the free memory or, where that is
// unknown, from the total.
std::int64_t room(const Verdict& verdict) {
  return (verdict.free_memory > 0 ? verdict.free_memory : verdict.total_memory) - verdict.need;
}

// Sorts the best first. Packs on one device keep their order.
void sort_by_merit(std::vector<Verdict>& verdicts) {
  std::stable_sort(verdicts.begin(), verdicts.end(), [](const Verdict& a, const Verdict& b) {
    return std::tuple(a.backend, rank(a.status), room(b)) <
           std::tuple(b.backend, rank(b.status), room(a));
  });
}

// The usable devices that the request leaves open, the CPU last.
std::vector<Verdict> find_candidates(const std::vector<Verdict>& verdicts,
                                     const DeviceRequirements& request) {
  std::vector<Verdict> candidates;
  for (const auto& verdict : verdicts) {
    if (!verdict.usable()) continue;
    const bool wanted = is_gpu(verdict) ? !wants_cpu(request) && is_wanted(verdict, request.device)
                                        : is_cpu(verdict) && !request.require_gpu;
    if (wanted) candidates.push_back(verdict);
  }
  sort_by_merit(candidates);
  return candidates;
}

Finding words_of_built_in_matrix(const char* code, const std::string& card) {
  return make_finding(built_in_matrix().matrix, code, Severity::blocked,
                      {.card = card, .found = "no GPU", .needed = "a GPU", .value = card}, "");
}

bool only_needs_fetching(const Verdict& verdict) {
  return !verdict.pack.install_command.empty() && verdict.headline() &&
         (verdict.headline()->code == code::cuda_pack_missing ||
          verdict.headline()->code == code::rocm_pack_missing);
}

// Returns why no wanted GPU works; empty if there is none.
std::optional<Finding> find_obstacle(const std::vector<Verdict>& verdicts,
                                     const DeviceRequirements& request) {
  const Verdict* obstacle = nullptr;
  for (const auto& verdict : verdicts) {
    if (!is_gpu(verdict) || verdict.usable() || !is_wanted(verdict, request.device)) continue;
    // A card that its driver lists is nearer to working than one that it does not, and a pack that
    // only has to be fetched nearer than one that would not fit. Of several the newest is best.
    const auto merit = [](const Verdict& v) {
      return std::tuple(v.backend, !v.index, !only_needs_fetching(v));
    };
    const bool is_newer = obstacle && only_needs_fetching(verdict) &&
                          merit(verdict) == merit(*obstacle) &&
                          verdict.pci_address == obstacle->pci_address;
    if (!obstacle || merit(verdict) < merit(*obstacle) || is_newer) obstacle = &verdict;
  }
  if (!obstacle || !obstacle->headline()) return std::nullopt;
  return *obstacle->headline();
}

const Verdict* find_foreign_card(const std::vector<Verdict>& verdicts) {
  const auto it = std::find_if(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) {
    return !is_gpu(verdict) && !is_cpu(verdict);
  });
  return it == verdicts.end() ? nullptr : &*it;
}

Finding why_no_gpu(const std::vector<Verdict>& verdicts, const DeviceRequirements& request) {
  if (auto finding = find_obstacle(verdicts, request)) return std::move(*finding);
  const Verdict* foreign = find_foreign_card(verdicts);
  if (foreign && foreign->headline() && wants_anything(request)) return *foreign->headline();
  if (wants_anything(request)) return words_of_built_in_matrix(code::no_gpu, "this machine");
  return words_of_built_in_matrix(code::no_such_device, to_string(request.device));
}

Finding contradiction() {
  Finding finding = words_of_built_in_matrix(code::no_gpu, "the CPU");
  finding.headline = "a GPU is required (require_gpu), and the CPU is asked for (--device cpu)";
  finding.fix = {"Ask for a GPU with --device auto, cuda or rocm, or leave require_gpu out"};
  return finding;
}

std::string gpu_title(const Verdict& verdict) {
  const char* driver = verdict.backend == Backend::cuda   ? "CUDA device"
                       : verdict.backend == Backend::rocm ? "ROCm device"
                                                          : "Metal device";
  return fmt::format("{} {}, {}", driver, verdict.index.value_or(0), verdict.device_name);
}

std::string reason_for_gpu(const Choice& choice, const DeviceRequirements& request) {
  const std::string title = gpu_title(choice.verdict);
  if (!wants_anything(request) && request.device.backend) {
    return fmt::format("{}: as asked (--device {})", title, to_string(request.device));
  }
  if (request.device.index) return title + ": the GPU that was asked for";
  if (choice.verdict.status == Status::unknown) {
    return title + ": the first GPU that may work; a trial run decides";
  }
  const bool several = std::any_of(choice.next.begin(), choice.next.end(), [&](const Verdict& v) {
    return v.backend == choice.verdict.backend && v.index != choice.verdict.index;
  });
  return title + (several ? ": the working GPU with most room" : ": the first working GPU");
}

std::string reason_for_cpu(const Choice& choice, const DeviceRequirements& request,
                           const std::vector<Verdict>& verdicts) {
  if (wants_cpu(request)) return "as asked (--device cpu)";
  if (choice.fallback) return "the CPU, because " + choice.fallback->finding.headline;
  const Verdict* foreign = find_foreign_card(verdicts);
  const std::string reason = "no GPU that scribed supports was found";
  return foreign ? fmt::format("{} ({} is not one)", reason, foreign->device_name) : reason;
}

}  // namespace

ChoiceResult choose(const std::vector<Verdict>& verdicts, const DeviceRequirements& request) {
  if (request.require_gpu && wants_cpu(request)) return Refusal{contradiction()};
  std::vector<Verdict> candidates = find_candidates(verdicts, request);
  if (candidates.empty()) {
    const auto cpu = std::find_if(verdicts.begin(), verdicts.end(), is_cpu);
    const bool cpu_fails = !request.require_gpu && cpu != verdicts.end() && cpu->headline();
    if (cpu_fails) return Refusal{*cpu->headline(), false};
    return Refusal{why_no_gpu(verdicts, request)};
  }
  Choice choice{.verdict = std::move(candidates.front())};
  choice.next.assign(std::make_move_iterator(candidates.begin() + 1),
                     std::make_move_iterator(candidates.end()));
  if (is_gpu(choice.verdict)) {
    choice.reason = reason_for_gpu(choice, request);
    return choice;
  }
  const bool gpu_is_named = !wants_cpu(request) && !wants_anything(request);
  if (gpu_is_named) {
    choice.fallback = {to_string(request.device), why_no_gpu(verdicts, request)};
  } else if (!wants_cpu(request)) {
    if (auto obstacle = find_obstacle(verdicts, request)) {
      choice.fallback = {"auto", std::move(*obstacle)};
    }
  }
  choice.reason = reason_for_cpu(choice, request, verdicts);
  return choice;
}

}  // namespace platform
