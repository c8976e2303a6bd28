#include "engine/whisper/torch_model/model_stores.h"

#include <ATen/Context.h>
#include <c10/util/Exception.h>

#include "engine/whisper/constants.h"

namespace engine {
namespace {

SlotStore store(const ModelDims& dims, int slots, int positions, const Placement& placement) {
  return SlotStore({dims.n_text_layer, 2, slots, dims.n_text_head, positions, head_dim},
                   placement.options());
}

MemoryRoom room_on(const Placement& placement, bool records) {
  const auto value_bytes = static_cast<int>(c10::elementSize(scalar_type(placement.type)));
  release_device_memory(placement.device);  // what loading has left over
  return {device_memory(placement.device), value_bytes, at::globalContext().userEnabledFlashSDP(),
          records};
}

}  // namespace

Result<ModelStores> allocate_stores(const ModelDims& dims, const Placement& placement,
                                    MemoryWish wish, bool records) {
  for (;; wish.part /= 2) {
    const auto plan = plan_memory(dims, room_on(placement, records), wish);
    if (!plan) return plan.error();
    try {
      return ModelStores{*plan, store(dims, plan->rows, dims.n_text_ctx, placement),
                         store(dims, plan->windows, dims.n_audio_ctx, placement)};
    } catch (const c10::OutOfMemoryError&) {
      // Some of what is free lies in pieces, or is somebody else's by now.
    }
  }
}

}  // namespace engine
