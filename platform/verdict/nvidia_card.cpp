#include <algorithm>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/nvidia_checks.h"
#include "platform/verdict/pack_checks.h"

namespace platform {
namespace {

Speed speed_of_float16(const PrecisionRow& row) {
  // "no tensor cores" means the full rate of plain arithmetic, and half the memory.
  const bool fast = row.float16 == "fast" || row.float16 == "no tensor cores";
  return fast ? Speed::fast : Speed::slow;
}

Speed speed_of_bfloat16(const PrecisionRow& row) {
  if (row.bfloat16 == "fast") return Speed::fast;
  return row.bfloat16 == "emulated" ? Speed::slow : Speed::none;
}

std::string words_of(ComputeCapability cc) {
  return cc == ComputeCapability{} ? "no compute capability" : "compute capability " + cc.text();
}

Precision precision_of(Judgement& judgement, ComputeCapability cc) {
  const PrecisionRow* row = judgement.matrix.find_precision(cc);
  if (!row) return unknown_precision(judgement, words_of(cc));
  const Speed float16 = speed_of_float16(*row);
  const bool slow = float16 == Speed::slow;
  return {.float16 = float16,
          .bfloat16 = speed_of_bfloat16(*row),
          .int8 = float16,  // its weights are multiplied in that type
          .preferred = slow ? "float32" : "float16",
          .smaller = "float16",
          .read_from = words_of(cc)};
}

// Returns whether libtorch has attention kernels for the card that never store the scores. Empty
// if that is not known, for a newer card or one without a known capability.
std::optional<bool> attention_is_fused(ComputeCapability cc, const std::string& compute_type) {
  constexpr ComputeCapability first{5, 0}, first_with_bfloat16{8, 0}, last{12, 1};
  if (cc == ComputeCapability{} || last < cc) return std::nullopt;
  if (cc < first) return false;
  return compute_type != "bfloat16" || first_with_bfloat16 <= cc;
}

void note_nvml(Judgement& judgement) {
  const ProbeResult& probe = judgement.facts.native.nvml.probe;
  const StatusCodeRow* row = judgement.matrix.find_status("nvml", probe.code);
  const bool closed =
      probe.outcome == ProbeOutcome::failed && row && row->finding == code::nvml_permission;
  std::string found = name(probe.outcome);
  if (probe.outcome == ProbeOutcome::answered) found = "the card is not listed";
  if (probe.outcome == ProbeOutcome::failed)
    found = std::to_string(probe.code) + " " + probe.code_name;
  judgement.add(
      closed ? code::nvml_permission : code::nvml_unavailable, Severity::note,
      {found, "free memory from NVML", probe.library.empty() ? "libnvidia-ml.so.1" : probe.library},
      gib(judgement.verdict.total_memory));
}

MemoryAtHand memory_of(const Judgement& judgement, const Card& card) {
  const Verdict& verdict = judgement.verdict;
  const bool instance = card.nvml && card.nvml->mig;
  if (card.nvml && card.nvml->free_memory && !instance) {
    return {verdict.free_memory, "nvmlDeviceGetMemoryInfo"};
  }
  if (!card.cuda->integrated) return {verdict.total_memory, "cuDeviceTotalMem (total, not free)"};
  // The memory is shared with the system, so what is free there is free here.
  const std::int64_t free = judgement.facts.memory.free();
  return {free > 0 ? std::min(free, verdict.total_memory) : verdict.total_memory,
          "/proc/meminfo (shared memory)"};
}

void judge_listed_card(Judgement& judgement, const Card& card) {
  const ComputeCapability cc = card.compute_capability;
  const Precision precision = precision_of(judgement, cc);
  check_precision(judgement, precision);
  const bool fused = check_attention(
      judgement, attention_is_fused(cc, judgement.verdict.compute_type), precision.read_from);
  check_nvml(judgement, card);
  check_memory(judgement, memory_of(judgement, card), fused, precision);
}

}  // namespace

void check_nvml(Judgement& judgement, const Card& card) {
  Verdict& verdict = judgement.verdict;
  verdict.total_memory = card.cuda->total_memory;
  if (card.nvml && card.nvml->mig) {
    // NVML reports on the whole card, CUDA on the instance.
    judgement.add(code::mig_enabled, Severity::note, {"MIG mode", "", "nvmlDeviceGetMigMode"},
                  gib(verdict.total_memory));
    return;
  }
  if (card.nvml && card.nvml->free_memory) {
    verdict.free_memory = *card.nvml->free_memory;
    return;
  }
  note_nvml(judgement);
}

Verdict judge_nvidia_card(const Facts& facts, const Matrix& matrix,
                          const DeviceRequirements& request, const Pack& pack, const Card& card) {
  Judgement judgement{facts, matrix, request};
  Verdict& verdict = judgement.verdict;
  verdict.pack = pack;
  verdict.backend = Backend::cuda;
  verdict.device_name = card.name;
  verdict.pci_address = card.pci_address;
  const ComputeCapability cc = card.compute_capability;
  if (cc != ComputeCapability{}) verdict.architecture = cc.text();
  if (card.cuda) verdict.index = card.cuda->index;

  check_system_calls(judgement);
  check_nvidia_driver(judgement, card);
  if (!pack.is_ready()) {
    // The pack that would be fetched has to fit the driver and the card.
    if (!pack.worker.empty()) {
      check_cuda_driver(judgement, card);
      check_cuda_kernels(judgement, card);
    }
    if (card.cuda) check_nvml(judgement, card);
    judgement.add(code::cuda_pack_missing, Severity::blocked,
                  {"no CUDA pack", "a CUDA pack", "the folder runtimes/ beside scribed"},
                  pack.install_command);
  } else {
    check_cuda_driver(judgement, card);
    check_cuda_kernels(judgement, card);
    check_cuda_math(judgement, card);
    check_torch_build(judgement);
    if (card.cuda) judge_listed_card(judgement, card);
  }
  note_environment(judgement);
  return std::move(judgement).conclude();
}

}  // namespace platform
