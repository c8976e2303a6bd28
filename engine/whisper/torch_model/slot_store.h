#pragma once

#include <ATen/ATen.h>

#include <memory>

#include "engine/torch/stored_rows.h"
#include "engine/whisper/torch_model/slot_pool.h"

namespace engine {

// Stores keys and values [n_layer, 2, slots, n_head, positions, 64], by places that are taken and
// given back. The memory is allocated once and stays where it is: recorded steps know its address.
// Its numbers are zeros at first, since a kernel reads beyond what is masked, and what is not
// finite there would spread.
class SlotStore {
 public:
  // sizes  with all of its slots; throws what libtorch throws where the device lacks the memory
  // int8   what is stored is rounded; such places are neither cleared nor moved
  SlotStore(at::IntArrayRef sizes, const at::TensorOptions& options, bool int8 = false);

  // Takes a place, with the numbers of its last owner. Throws Exception (out_of_memory) where all
  // are in use: who takes places waits for free ones before.
  SlotPool::Slot take();
  // Makes all numbers of a place zero.
  void clear(int index) { slot(index).values.zero_(); }

  // Gives places the numbers of others, all at once, of the first so many positions. On the device,
  // it can be recorded.
  //   from, to  [n] int64; a place may be there twice, from the same one
  void move(const at::Tensor& from, const at::Tensor& to, int positions) const;

  const StoredRows& rows() const { return rows_; }
  // Returns the numbers of a store that is not in int8.
  const at::Tensor& tensor() const { return rows_.values; }
  int capacity() const { return static_cast<int>(rows_.values.size(2)); }
  int in_use() const { return pool_->in_use(); }
  // Returns [n_layer, 2, n_head, positions, 64] of one place, a view.
  StoredRows slot(int index) const { return rows_.select(2, index); }

 private:
  StoredRows rows_;
  std::shared_ptr<SlotPool> pool_;
};

}  // namespace engine
