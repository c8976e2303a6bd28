#pragma once

#include <cstddef>
#include <vector>

#include "engine/kernels/thread_pool.h"
#include "engine/whisper/cpu/row_block.h"

namespace engine::cpu {

// The rows of a decoder step on their way into linear layers, which all threads multiply together.
// Of few rows each thread prepares all, since that takes less time than waiting for each other;
// many are shared among the threads. All threads call each function, with the same arguments but
// for `thread` and `panels`, and nobody may still read what an earlier call has returned.
class StepRows {
 public:
  // Fewer rows are not shared.
  static constexpr int least_shared = 12;
  // A layer's inputs are in no more parts, the narrowest of which are n_state.
  static constexpr int most_parts = 4;

  StepRows(int n_state, kernels::ThreadPool& pool);

  // As those of RowBlock.
  Rows prepare(int thread, const float* x, int rows, int n, const Matrix& weight);
  Rows normalize(int thread, const float* x, int rows, int n, const kernels::LayerNormWeights& norm,
                 const Matrix& weight);
  void add_products(int thread, const kernels::Kernels& kernels, const float* x, int rows,
                    int width, const std::vector<Matrix>& parts, kernels::Panels panels, float* out,
                    std::ptrdiff_t stride);

  // Returns a thread's own block, for work that it does alone.
  RowBlock& own(int thread) { return own_[static_cast<std::size_t>(thread)]; }

 private:
  bool shares(int rows) const { return rows >= least_shared && pool_.size() > 1; }

  kernels::ThreadPool& pool_;
  std::vector<RowBlock> own_;     // by thread
  std::vector<RowBlock> shared_;  // by part of a layer's inputs
};

}  // namespace engine::cpu
