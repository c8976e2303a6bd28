#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/torch/step_graphs.h"

namespace engine {

// The place of one row in a step: where its history and its window lie.
struct StepRow {
  int slot = 0;    // of the cache
  int window = 0;  // slot of its window
  int position = 0;
};

// A step of any rows as a shape and the numbers in it. In the batch a row has the place of its
// slot, so that self-attention reads the cache as it lies; for cross-attention the queries of each
// window come together, so that its keys and values are read once for all of them, and nothing is
// copied but queries. Which tokens the rows read, and where, only the device knows. A row that
// takes no part reads its last token again, in the place of its own next step, which so writes the
// same.
//
// Fused kernels find histories and windows by themselves, so they get only the rows that take part,
// in the order of the decodes; their shape has no windows.
struct StepBatch {
  StepShape shape;
  // The numbers lie one after the other, as one tensor of numbers goes to the device:
  //   query_rows  [windows·rows_per_window]  the row of each query
  //   row_queries [rows]                     the query of each row
  // Places that belong to nobody hold 0. For fused kernels:
  //   slots       [rows]                     of the histories
  //   windows     [rows]
  // Places that are left over repeat the first row.
  std::vector<std::int64_t> numbers;
};

// The most that a step may have of each.
struct StepLimits {
  int rows = 0;     // slots of the cache
  int windows = 0;  // slots of windows
  int ctx = 0;      // positions of the cache
};

// Return how many numbers a decode's shape has, and how many any shape within the limits has at
// most.
std::int64_t count_numbers(const StepShape& shape);
std::int64_t most_numbers(const StepLimits& limits);

// rows  at least one; each slot once
StepBatch batch_of(std::span<const StepRow> rows, const StepLimits& limits);
StepBatch fused_batch_of(std::span<const StepRow> rows, const StepLimits& limits);
inline bool is_fused(const StepShape& shape) {
  return shape.windows == 0;
}

}  // namespace engine
