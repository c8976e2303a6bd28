#include "engine/whisper/bench/kernel_choice.h"

#include <ATen/Version.h>

#include <algorithm>

#include "engine/kernels/attention/attention_tile.h"
#include "engine/kernels/chosen_isa.h"
#include "engine/kernels/kernels.h"
#include "platform/cpu.h"

namespace engine {
namespace {

// Returns the name of the instruction set that a kernel is written for: the first one that has the
// same kernel as `isa`.
template <class KernelOf>
std::string written_for(kernels::Isa isa, KernelOf kernel_of) {
  const auto same = [&](kernels::Isa other) { return kernel_of(other) == kernel_of(isa); };
  return kernels::name(*std::ranges::find_if(kernels::own_isas, same));
}

std::string of_products(ComputeType type, kernels::Isa isa) {
  using kernels::kernels_for;
  switch (type) {
    case ComputeType::int8:
      return written_for(isa, [](auto other) { return kernels_for(other).gemm_int8; });
    case ComputeType::bfloat16:
      return written_for(isa, [](auto other) { return kernels_for(other).gemm_bfloat16; });
    default:
      return written_for(isa, [](auto other) { return kernels_for(other).gemm_float32; });
  }
}

std::vector<KernelChoice> own_kernel_choices(ComputeType type, kernels::Isa isa,
                                             const platform::CpuFacts& cpu) {
  using kernels::tile_kernel;
  const std::string reason = "the best that this CPU (" + cpu.isa() + ") and these kernels share";
  const std::string products = of_products(type, isa);
  if (type == ComputeType::float32) {
    return {{"linear layers", products, reason}, {"attention", products, reason}};
  }
  return {
      {"linear layers", products, reason},
      {"attention scores",
       written_for(isa, [](auto other) { return tile_kernel(other).scoring.score; }), reason},
      {"attention sums",
       written_for(isa, [](auto other) { return tile_kernel(other).summing.add_values; }), reason}};
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
  const std::string part = "steps, prompts, encodes";
  const std::string plain = "one launch after the other";
  if (!graphs) return {part, plain, "this build or device records none"};
  const std::string kernel = graphs->recorded > 0 ? "recorded graphs" : plain;
  if (!graphs->off.empty()) return {part, kernel, "a recording has failed: " + graphs->off};
  return {part, kernel,
          "each has hundreds of kernels, which take the host longer to launch one by one"};
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
