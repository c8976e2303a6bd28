#pragma once

#include <cstddef>
#include <vector>

#include "engine/kernels/thread_pool.h"
#include "engine/whisper/cpu/packed_whisper.h"
#include "engine/whisper/cpu/row_block.h"

namespace engine::cpu {

// The rows of a decoder step on their way into linear layers, which all threads multiply together.
// Each thread prepares all rows where they are few, since that takes less time than waiting for the
// others; many rows are shared among the threads, and then a call waits for all of them. All
// threads make each call, with the same arguments but for `thread` and `panels`. Between the last
// use of what a call has returned and the next call there is a barrier.
class StepRows {
 public:
  // Fewer rows are not shared. With two threads sharing pays from about eight rows on, and a
  // barrier of more threads takes longer.
  static constexpr int least_shared = 12;

  // widest: the longest row that goes into a linear layer or lies between two, 4·n_state or more.
  StepRows(int n_state, int widest, kernels::ThreadPool& pool);

  // These three do what the functions of these names do in RowBlock.
  Rows prepare(int thread, const float* x, int rows, int n, const Matrix& weight);
  Rows normalize(int thread, const float* x, int rows, int n, const kernels::LayerNormWeights& norm,
                 const Matrix& weight);
  void add_products(int thread, const kernels::Kernels& kernels, const float* x, int rows,
                    int width, const std::vector<Matrix>& parts, kernels::Panels panels, float* out,
                    std::ptrdiff_t stride);

  // Returns a thread's own block, for work that it does alone.
  RowBlock& own(int thread) { return own_[static_cast<std::size_t>(thread)]; }

 private:
  // Says whether rows are shared on their way into this layer.
  bool shares(int rows, const Matrix& weight) const;

  kernels::ThreadPool& pool_;
  std::vector<RowBlock> own_;  // by thread
  // The blocks by part of a layer's inputs; the first has room for all inputs of a wide layer, too.
  std::vector<RowBlock> shared_;
};

}  // namespace engine::cpu
