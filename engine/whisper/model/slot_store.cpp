#include "engine/whisper/model/slot_store.h"

#include <utility>

namespace engine {

SlotStore::SlotStore(at::IntArrayRef sizes, const at::TensorOptions& options, int max_slots)
    : max_slots_(max_slots), tensor_(at::zeros(sizes, options)) {}

SlotPool::Slot SlotStore::take() {
  SlotPool::Slot taken = pool_->take();
  TORCH_CHECK(taken.index() < max_slots_, "more than ", max_slots_,
              " windows or rows on one device at a time");
  if (taken.index() >= capacity()) {
    auto sizes = tensor_.sizes().vec();
    sizes[2] *= 2;
    at::Tensor larger = at::zeros(sizes, tensor_.options());
    larger.narrow(2, 0, capacity()).copy_(tensor_);
    tensor_ = std::move(larger);
  } else {
    slot(taken.index()).zero_();
  }
  return taken;
}

}  // namespace engine
