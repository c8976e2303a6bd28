#include "engine/whisper/model/step_batch.h"

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

}  // namespace

std::int64_t count_numbers(const StepShape& shape) {
  return std::int64_t{shape.rows} + std::int64_t{shape.windows} * shape.rows_per_window;
}

std::int64_t most_numbers(const StepLimits& limits) {
  return count_numbers({limits.rows, limits.windows, /*rows_per_window=*/limits.rows, limits.ctx});
}

StepBatch batch_of(std::span<const StepRow> rows, const StepLimits& limits) {
  const auto counts = rows_by_window(rows);
  const int last_slot = std::ranges::max(rows, {}, &StepRow::slot).slot;
  const int last_position = std::ranges::max(rows, {}, &StepRow::position).position;
  StepBatch batch;
  batch.shape = {rounded(last_slot + 1, limits.rows),
                 rounded(static_cast<int>(counts.size()), limits.windows), std::ranges::max(counts),
                 rounded_length(last_position + 1, limits.ctx)};
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

}  // namespace engine
