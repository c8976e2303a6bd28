#include "engine/whisper/torch_model/slot_store.h"

#include <utility>

#include "engine/error.h"

namespace engine {

SlotStore::SlotStore(at::IntArrayRef sizes, const at::TensorOptions& options, bool int8)
    : rows_{at::zeros(sizes, int8 ? options.dtype(at::kChar) : options),
            int8 ? at::zeros(sizes.slice(0, sizes.size() - 1), options) : at::Tensor()},
      pool_(std::make_shared<SlotPool>(capacity())) {}

SlotPool::Slot SlotStore::take() {
  if (auto taken = pool_->take()) return *std::move(taken);
  throw Exception({Errc::out_of_memory,
                   "all " + std::to_string(capacity()) + " places on the device are in use",
                   "Use a smaller --beam-size, or fewer transcriptions at once."});
}

// Layer by layer, as what is on its way takes memory.
void SlotStore::move(const at::Tensor& from, const at::Tensor& to, int positions) const {
  for (const at::Tensor& layer : tensor().narrow(4, 0, positions).unbind()) {
    layer.index_copy_(1, to, layer.index_select(1, from));
  }
}

}  // namespace engine
