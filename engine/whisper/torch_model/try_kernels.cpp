#include "engine/whisper/torch_model/try_kernels.h"

#include <algorithm>

#include "engine/cuda_kernels/check_kernels.h"
#include "engine/whisper/device_choice/check_choice.h"

namespace engine {
namespace {

// Libtorch's operations are taken where the kernels need more than so many times as long: smaller
// differences change from load to load.
constexpr double clearly_slower = 1.1;

}  // namespace

KernelUse try_kernels(StepKernels* kernels, const Placement& placement, const ModelDims& dims,
                      int rows) {
  KernelUse use;
  if (kernels == nullptr) return {0, "this build has no fused kernels for this device"};
  use.chooses = may_be_used(check_choice(*kernels, placement.device, dims.n_vocab), use.why);
  // Whatever chooses wrongly is not trusted with anything.
  if (!use.chooses) return use;
  if (placement.type != ComputeType::float16 && placement.type != ComputeType::bfloat16) {
    use.why = "the fused kernels of layers compute in float16 and bfloat16 alone";
    return use;
  }
  const auto checks = check_kernels(*kernels, placement, dims.n_text_state);
  if (may_be_used(checks, use.why)) use.most_rows = rows;
  return use;
}

KernelUse keep_faster(KernelUse use, const std::function<double(int rows, bool fused)>& seconds) {
  const int most = use.most_rows;
  int faster = 0;
  for (int rows = 1; faster < most; rows = std::min(4 * rows, most)) {
    if (seconds(rows, true) > clearly_slower * seconds(rows, false)) {
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
