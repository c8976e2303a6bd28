#include "engine/whisper/torch_model/step_batch.h"

#include <algorithm>
#include <bit>

namespace engine {
namespace {

// Sizes are powers of two or all that there is, since each shape is recorded for itself.
int rounded(int count, int most) {
  return std::min(static_cast<int>(std::bit_ceil(static_cast<unsigned>(count))), most);
}

constexpr int shortest = 64;

int rounded_length(int length, int ctx) {
  return rounded(std::max(length, shortest), ctx);
}

std::vector<int> rows_by_window(std::span<const StepRow> rows) {
  std::vector<int> counts;
  for (const StepRow& row : rows) {
    const auto window = static_cast<std::size_t>(row.window);
    if (counts.size() <= window) counts.resize(window + 1);
    ++counts[window];
  }
  return counts;
}

int last_position_of(std::span<const StepRow> rows) {
  return std::ranges::max(rows, {}, &StepRow::position).position;
}

}  // namespace

std::int64_t count_numbers(const StepShape& shape) {
  if (is_fused(shape)) return 2 * std::int64_t{shape.rows};
  return std::int64_t{shape.rows} + std::int64_t{shape.windows} * shape.rows_per_window;
}

std::int64_t most_numbers(const StepLimits& limits) {
  const StepShape batch{.rows = limits.rows,
                        .windows = limits.windows,
                        .rows_per_window = limits.rows,
                        .length = limits.ctx};
  const auto rows = static_cast<int>(std::bit_ceil(static_cast<unsigned>(limits.rows)));
  return std::max(count_numbers(batch), count_numbers({.rows = rows, .length = limits.ctx}));
}

StepBatch batch_of(std::span<const StepRow> rows, const StepLimits& limits) {
  const auto counts = rows_by_window(rows);
  const int last_slot = std::ranges::max(rows, {}, &StepRow::slot).slot;
  StepBatch batch;
  batch.shape = {.rows = rounded(last_slot + 1, limits.rows),
                 .windows = rounded(static_cast<int>(counts.size()), limits.windows),
                 .rows_per_window = std::ranges::max(counts),
                 .length = rounded_length(last_position_of(rows) + 1, limits.ctx)};
  batch.numbers.resize(static_cast<std::size_t>(count_numbers(batch.shape)));
  std::int64_t* query_rows = batch.numbers.data();
  std::int64_t* row_queries = query_rows + batch.shape.windows * batch.shape.rows_per_window;
  std::vector<int> placed(counts.size());
  for (const StepRow& row : rows) {
    const int query =
        row.window * batch.shape.rows_per_window + placed[static_cast<std::size_t>(row.window)]++;
    query_rows[query] = row.slot;
    row_queries[row.slot] = query;
  }
  return batch;
}

StepBatch fused_batch_of(std::span<const StepRow> rows, const StepLimits& limits) {
  StepBatch batch;
  batch.shape.rows = static_cast<int>(std::bit_ceil(rows.size()));
  batch.shape.length = rounded_length(last_position_of(rows) + 1, limits.ctx);
  const auto append = [&](int StepRow::*member) {
    for (const StepRow& row : rows) batch.numbers.push_back(row.*member);
    const auto left = static_cast<std::size_t>(batch.shape.rows) - rows.size();
    batch.numbers.insert(batch.numbers.end(), left, rows[0].*member);
  };
  append(&StepRow::slot);
  append(&StepRow::window);
  return batch;
}

}  // namespace engine
