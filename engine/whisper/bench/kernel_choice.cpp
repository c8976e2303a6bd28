#include "engine/whisper/bench/kernel_choice.h"

#include <ATen/Version.h>

#include "engine/kernels/kernels.h"
#include "platform/cpu.h"

namespace engine {
namespace {

std::vector<KernelChoice> own_kernel_choices(const platform::CpuFacts& cpu) {
  const auto isa = kernels::best_isa(cpu);
  if (!isa) return {};
  const std::string best = kernels::name(*isa);
  const std::string reason = "the best that this CPU (" + cpu.isa() + ") and these kernels share";
  const auto chosen = kernels::kernels_for(*isa);
  const bool vnni = chosen.gemm_int8 == kernels::gemm_int8_vnni;
  const bool avx2 = chosen.gemm_int8 == kernels::gemm_int8_avx2;
  return {{"linear layers",
           vnni   ? "avx512_vnni"
           : avx2 ? "avx2"
                  : best,
           reason},
          {"attention scores", *isa >= kernels::Isa::avx512_vnni ? "avx512_vnni" : best, reason},
          {"attention sums", best, reason}};
}

std::vector<KernelChoice> of_libtorch_on_cpu(const platform::CpuFacts& cpu) {
  const bool packed = at::hasMKLDNN();
  return {{"linear layers", packed ? "oneDNN, weights packed once" : "ATen",
           packed ? "it takes what this CPU has (" + cpu.isa() + ")"
                  : "this libtorch was built without oneDNN"},
          {"everything else", "ATen for " + at::get_cpu_capability(),
           "libtorch's choice for this CPU"}};
}

KernelChoice layer_choice(const std::optional<KernelUse>& fused) {
  const KernelUse use = fused.value_or(KernelUse{});
  if (use.most_rows == 0) return {"layers of a decode step", "libtorch's operations", use.why};
  const std::string up_to = "fused, up to " + std::to_string(use.most_rows) + " rows";
  return {
      "layers of a decode step", up_to,
      use.why.empty() ? "they gave libtorch's results here, and were not clearly slower" : use.why};
}

KernelChoice token_choice(const std::optional<KernelUse>& fused) {
  if (fused && fused->chooses) {
    return {"choice of tokens", "fused", "they chose what libtorch's operations chose here"};
  }
  return {"choice of tokens", "libtorch's operations", fused ? fused->why : ""};
}

KernelChoice step_choice(const std::optional<GraphState>& graphs) {
  const std::string plain = "one launch after the other";
  if (!graphs) return {"decode steps", plain, "this build or device records none"};
  if (!graphs->off.empty()) {
    return {"decode steps", plain, "a step could not be recorded: " + graphs->off};
  }
  return {"decode steps", "recorded graphs",
          "a step has hundreds of kernels, each shorter than its launch"};
}

}  // namespace

std::vector<KernelChoice> kernel_choices(const Placement& placement, bool flash_attn,
                                         const std::optional<GraphState>& graphs,
                                         const std::optional<KernelUse>& fused) {
  if (placement.type == ComputeType::int8) return own_kernel_choices(platform::probe_cpu());
  if (placement.on_cpu()) return of_libtorch_on_cpu(platform::probe_cpu());
  std::vector<KernelChoice> choices{
      {"linear layers", "the vendor's, through libtorch", "a GPU's matrix units"},
      {"attention", flash_attn ? "fused" : "products and a softmax",
       flash_attn ? "as libtorch chooses for this card" : "--flash-attn false"}};
  choices.push_back(token_choice(fused));
  choices.push_back(layer_choice(fused));
  choices.push_back(step_choice(graphs));
  return choices;
}

}  // namespace engine
