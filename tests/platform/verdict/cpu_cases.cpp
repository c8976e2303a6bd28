#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

Case with(std::string name, std::string code, Severity severity,
          const std::function<void(World&)>& change) {
  World world = plain_machine();
  change(world);
  return {std::move(name), std::move(code), severity, Backend::cpu, std::move(world)};
}

Case absent(std::string name, std::string code, Backend backend,
            const std::function<void(World&)>& change) {
  Case one = with(std::move(name), std::move(code), Severity::blocked, change);
  one.world.request.device.backend = one.backend = backend;
  return one;
}

}  // namespace

std::vector<Case> cpu_cases() {
  const auto nothing = [](World&) {};
  return {
      with("no AVX2", code::cpu_no_avx2, Severity::degraded,
           [](World& w) {
             w.facts.cpu = {};
             w.facts.cpu.flags_known = true;
           }),
      with("the model does not fit", code::memory_too_small, Severity::blocked,
           [](World& w) { w.facts.memory.available = 150 * mib; }),
      with("only a narrower type fits", code::memory_reduced_precision, Severity::note,
           [](World& w) {
             w.facts.cpu.avx512_bf16 = false;
             w.facts.memory.available = 480 * mib;
           }),
      with("float16 for want of a GPU", code::precision_not_supported, Severity::degraded,
           [](World& w) { w.request.compute_type = "float16"; }),
      with("float16 asked of the CPU", code::precision_not_supported, Severity::blocked,
           [](World& w) {
             w.request.compute_type = "float16";
             w.request.device.backend = Backend::cpu;
           }),
      with("bfloat16 without the instructions", code::precision_slow, Severity::degraded,
           [](World& w) {
             w.facts.cpu.avx512_bf16 = false;
             w.request.compute_type = "bfloat16";
           }),
      with("HIP hangs without a card", code::hip_library_hangs, Severity::note,
           [](World& w) { w.hip_answers({.outcome = ProbeOutcome::hung}); }),
      with("a container's profile refuses a system call", code::system_call_refused,
           Severity::blocked,
           [](World& w) { w.facts.os.refused_calls = {"pidfd_open: Operation not permitted"}; }),
      with("no runtime pack", code::cpu_pack_missing, Severity::blocked,
           [](World& w) { w.packs.clear(); }),
      with("a build that nobody knows", code::torch_unknown, Severity::unknown,
           [](World& w) { w.pack(Backend::cpu).build = {}; }),
      absent("CUDA asked of a machine without a card", code::no_gpu, Backend::cuda, nothing),
      absent("ROCm asked of a machine without a card", code::no_gpu, Backend::rocm, nothing),
      absent("ROCm asked of a machine with an NVIDIA card", code::no_such_device, Backend::rocm,
             [](World& w) { w = nvidia_machine(); }),
      absent("ROCm asked where its library hangs", code::hip_library_hangs, Backend::rocm,
             [](World& w) { w.hip_answers({.outcome = ProbeOutcome::hung}); }),
      absent("ROCm asked in WSL", code::rocm_on_wsl, Backend::rocm,
             [](World& w) { w.facts.os.wsl = true; }),
      absent("CUDA asked in WSL without the driver of Windows", code::cuda_no_driver, Backend::cuda,
             [](World& w) { w.facts.os.wsl = true; }),
      absent("Metal asked of Linux", code::mps_no_metal, Backend::mps, nothing),
  };
}

TEST(CpuCases, FlagsThatWereNotReadAreNotMissed) {
  World world = plain_machine();
  world.facts.cpu = {};
  const Verdict verdict = judge(world, Backend::cpu);
  EXPECT_EQ(std::ranges::count(verdict.findings, code::cpu_no_avx2, &Finding::code), 0);
}

}  // namespace platform::test
