#include "engine/whisper/bench/kernel_choice.h"

#include <ATen/Version.h>

#include "engine/kernels/chosen_isa.h"
#include "engine/kernels/kernels.h"
#include "platform/cpu.h"

namespace engine {
namespace {

// Returns the instruction set that products of this type are written for.
std::string of_products(ComputeType type, kernels::Isa isa) {
  const auto chosen = kernels::kernels_for(isa);
  switch (type) {
    case ComputeType::int8:
      if (chosen.gemm_int8 == kernels::gemm_int8_amx) return "amx";
      if (chosen.gemm_int8 == kernels::gemm_int8_vnni) return "avx512_vnni";
      return chosen.gemm_int8 == kernels::gemm_int8_avx_vnni ? "avx_vnni" : "avx2";
    case ComputeType::bfloat16:
      if (chosen.gemm_bfloat16 == kernels::gemm_bfloat16_amx) return "amx";
      return chosen.gemm_bfloat16 == kernels::gemm_bfloat16_avx512 ? "avx512_bf16" : "avx2";
    default:
      return chosen.gemm_float32 == kernels::gemm_float32_avx512 ? "avx512" : "avx2";
  }
}

std::vector<KernelChoice> own_kernel_choices(ComputeType type, kernels::Isa isa,
                                             const platform::CpuFacts& cpu) {
  const std::string best = kernels::name(isa);
  const std::string reason = "the best that this CPU (" + cpu.isa() + ") and these kernels share";
  const std::string products = of_products(type, isa);
  if (type == ComputeType::float32) {
    return {{"linear layers", products, reason}, {"attention", products, reason}};
  }
  const std::string sums = isa == kernels::Isa::avx_vnni ? "avx2" : best;
  const bool vnni = isa == kernels::Isa::avx512_vnni || isa == kernels::Isa::avx512_bf16;
  return {{"linear layers", products, reason},
          {"attention scores", vnni ? "avx512_vnni" : sums, reason},
          {"attention sums", sums, reason}};
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
  const platform::CpuFacts cpu = platform::probe_cpu();
  if (placement.on_cpu()) {
    const auto isa = kernels::isa_of_this_cpu();
    return isa ? own_kernel_choices(placement.type, *isa, cpu) : of_libtorch_on_cpu(cpu);
  }
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
