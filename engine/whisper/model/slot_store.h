#pragma once

#include <ATen/ATen.h>

#include <memory>

#include "engine/whisper/model/slot_pool.h"

namespace engine {

// Stores keys and values in one tensor [n_layer, 2, slots, n_head, positions, 64], by places that
// are taken and given back. Its numbers are always finite at first: a kernel reads beyond what is
// masked.
class SlotStore {
 public:
  // sizes: with one slot
  SlotStore(at::IntArrayRef sizes, const at::TensorOptions& options, int max_slots);

  // Takes a place that is all zeros. Where there was none the store has doubled, and has moved.
  // Throws where it would have more than max_slots, or memory is out.
  SlotPool::Slot take();

  const at::Tensor& tensor() const { return tensor_; }
  int capacity() const { return static_cast<int>(tensor_.size(2)); }
  // Returns [n_layer, 2, n_head, positions, 64] of one place, a view.
  at::Tensor slot(int index) const { return tensor_.select(2, index); }

 private:
  int max_slots_;
  at::Tensor tensor_;
  std::shared_ptr<SlotPool> pool_ = std::make_shared<SlotPool>();
};

}  // namespace engine
