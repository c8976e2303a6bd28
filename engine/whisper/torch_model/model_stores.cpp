#include "engine/whisper/torch_model/model_stores.h"

#include <ATen/Context.h>
#include <c10/util/Exception.h>

#include "engine/torch/device.h"
#include "engine/whisper/constants.h"

namespace engine {
namespace {

SlotStore store(const ModelDims& dims, int slots, int positions, const Placement& placement,
                bool int8) {
  return SlotStore({dims.n_text_layer, 2, slots, dims.n_text_head, positions, head_dim},
                   placement.options(), int8);
}

MemoryRoom room_on(const Placement& placement, const StoreForm& form) {
  const auto value_bytes = static_cast<int>(c10::elementSize(scalar_type(placement.type)));
  release_device_memory(placement.device);  // what loading has left over
  return {.memory = device_memory(placement.device),
          .value_bytes = value_bytes,
          .fused_attention = at::globalContext().userEnabledFlashSDP(),
          .records = form.records,
          .int8_windows = form.int8_windows};
}

}  // namespace

Result<ModelStores> allocate_stores(const ModelDims& dims, const Placement& placement,
                                    MemoryWish wish, const StoreForm& form) {
  for (;; wish.part /= 2) {
    const auto plan = plan_memory(dims, room_on(placement, form), wish);
    if (!plan) return plan.error();
    try {
      return ModelStores{
          *plan, store(dims, plan->rows, dims.n_text_ctx, placement, /*int8=*/false),
          store(dims, plan->windows, dims.n_audio_ctx, placement, form.int8_windows)};
    } catch (const c10::OutOfMemoryError&) {
      // Some of what is free lies in pieces, or is somebody else's by now.
    }
  }
}

}  // namespace engine
