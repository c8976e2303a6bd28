#include "platform/verdict/cpu_device.h"

#include "platform/verdict/card.h"
#include "platform/verdict/finding_codes.h"
#include "platform/verdict/pack_checks.h"

namespace platform {
namespace {

void check_instruction_set(Judgement& judgement) {
  const Facts& facts = judgement.facts;
  const bool intel = facts.os.architecture == "x86_64" || facts.os.architecture == "amd64";
  if (!intel || facts.cpu.avx2 || !facts.cpu.flags_known) return;
  judgement.add(code::cpu_no_avx2, Severity::degraded, {facts.cpu.isa(), "AVX2", "/proc/cpuinfo"});
}

// Notes that ROCm's library hangs, as it can if there is no card at all. Nothing here loads it,
// so this is only a note.
void note_hanging_library(Judgement& judgement) {
  const Facts& facts = judgement.facts;
  const ProbeResult& probe = facts.native.hip.probe;
  if (probe.outcome != ProbeOutcome::hung) return;
  if (!amd_cards(facts, judgement.matrix).empty()) return;  // the card's own verdict reports it
  const std::string call = call_of(probe, "libamdhip64.so");
  judgement.add(code::hip_library_hangs, Severity::note,
                {"no answer from " + call, "an answer", call}, call);
}

MemoryAtHand memory_of(const Facts& facts) {
  if (facts.memory.total <= 0) return {};
  return {facts.memory.free(),
          facts.memory.limit ? "/proc/meminfo and the cgroup's limit" : "/proc/meminfo"};
}

}  // namespace

Verdict judge_cpu(const Facts& facts, const Matrix& matrix, const DeviceRequirements& request,
                  const Pack& pack) {
  Judgement judgement{facts, matrix, request};
  Verdict& verdict = judgement.verdict;
  verdict.pack = pack;
  verdict.backend = Backend::cpu;
  verdict.device_name = facts.cpu.model_name.empty() ? "CPU" : facts.cpu.model_name;
  verdict.architecture = facts.cpu.isa();
  verdict.total_memory = facts.memory.total;
  verdict.free_memory = facts.memory.free();

  check_system_calls(judgement);
  check_instruction_set(judgement);
  note_hanging_library(judgement);
  if (pack.worker.empty()) {
    judgement.add(code::cpu_pack_missing, Severity::blocked,
                  {"no runtime pack", "a runtime pack", "the folder of scribed's programs"});
  } else {
    check_torch_build(judgement);
  }
  const bool fast = facts.cpu.fast_bfloat16();
  const bool has_int8 = facts.cpu.has_int8();
  // Half precision is for GPUs. Where the CPU stands in for one, it computes in a type of its own;
  // where it was asked for by name, the two wishes contradict each other.
  const bool stands_in =
      request.compute_type == "float16" && request.device.backend != Backend::cpu;
  const Precision precision{.float16 = Speed::none,
                            .bfloat16 = fast ? Speed::fast : Speed::slow,
                            .int8 = has_int8 ? Speed::fast : Speed::none,
                            .preferred = facts.cpu.fast_int8() ? "int8"
                                         : fast                ? "bfloat16"
                                                               : "float32",
                            .smaller = has_int8 ? "int8" : "bfloat16",
                            .read_from = "/proc/cpuinfo",
                            .stands_in = stands_in};
  check_precision(judgement, precision);
  check_memory(judgement, memory_of(facts), true, precision);
  return std::move(judgement).conclude();
}

}  // namespace platform
