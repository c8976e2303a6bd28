#include "engine/whisper/model/kernel_use.h"

#include <algorithm>

#include "engine/cuda_kernels/check_kernels.h"

namespace engine {

KernelUse try_kernels(StepKernels* kernels, const Placement& placement, const ModelDims& dims,
                      int rows) {
  if (kernels == nullptr) return {0, "this build has no fused kernels for this device"};
  if (placement.type != ComputeType::float16 && placement.type != ComputeType::bfloat16) {
    return {0, "the fused kernels compute in float16 and bfloat16 alone"};
  }
  std::string why;
  const auto checks =
      check_kernels(*kernels, placement.device, scalar_type(placement.type), dims.n_text_state);
  if (!may_be_used(checks, why)) return {0, why};
  return {rows, ""};
}

KernelUse keep_faster(KernelUse use, const std::function<double(int rows, bool fused)>& seconds) {
  const int most = use.most_rows;
  int faster = 0;
  for (int rows = 1; faster < most; rows = std::min(4 * rows, most)) {
    if (seconds(rows, true) > seconds(rows, false)) {
      use.why = faster == 0 ? "libtorch's operations are faster on this card"
                            : "libtorch's operations are faster for more rows";
      break;
    }
    faster = rows;
  }
  use.most_rows = faster;
  return use;
}

}  // namespace engine
