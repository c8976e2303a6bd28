#include "engine/whisper/torch_model/try_kernels.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "engine/cuda_kernels/check_kernels.h"
#include "engine/error.h"
#include "engine/torch/device.h"
#include "engine/whisper/device_choice/check_choice.h"

namespace engine {
namespace {

// Libtorch's operations are taken where the kernels need more than so many times as long: smaller
// differences change from load to load.
constexpr double clearly_slower = 1.1;

bool are_switched_off() {
  const char* value = std::getenv("SCRIBED_FUSED_KERNELS");
  return value != nullptr && std::string_view(value) == "off";
}

// A check takes a kernel that fails for a wrong one. Where the device has failed with it, nothing
// can be computed any more in this process, and the next attempt would end here, too.
void require_working(const at::Device& device) {
  try {
    wait_for_device(device);
  } catch (const c10::Error& failure) {
    throw Exception(
        {Errc::device_unavailable,
         std::string("a fused kernel has failed on this card: ") + failure.what_without_backtrace(),
         "Set SCRIBED_FUSED_KERNELS=off in the environment, which leaves them out, and "
         "report the message."});
  }
}

}  // namespace

KernelUse try_kernels(StepKernels* kernels, const Placement& placement, const ModelDims& dims,
                      const SpecialTokens& specials, int rows) {
  KernelUse use;
  if (kernels == nullptr) return {0, "this build has no fused kernels for this device"};
  if (are_switched_off()) return {0, "the fused kernels are off (SCRIBED_FUSED_KERNELS)"};
  if (specials.is_in_published_order()) {
    use.chooses = may_be_used(check_choice(*kernels, placement.device, specials), use.why);
    require_working(placement.device);
    // Whatever chooses wrongly is not trusted with anything.
    if (!use.chooses) return use;
  }
  if (placement.type != ComputeType::float16 && placement.type != ComputeType::bfloat16) {
    use.why = "the fused kernels of layers compute in float16 and bfloat16 alone";
    return use;
  }
  if (text_heads_width(dims) != dims.n_text_state) {
    use.why = "the fused kernels of layers are for models whose heads are 64 wide";
    return use;
  }
  const auto checks = check_kernels(*kernels, placement, dims.n_text_state);
  require_working(placement.device);
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
