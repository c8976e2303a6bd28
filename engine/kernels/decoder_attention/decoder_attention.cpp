#include "engine/kernels/decoder_attention/decoder_attention.h"

#include <algorithm>

#include "engine/kernels/gemm/packed_matrix.h"

namespace engine::kernels {
namespace {

// Returns the end of the rows that read the same store as row `begin`.
int end_of_run(std::span<const DecoderRow> rows, int begin) {
  const auto same = [&](const DecoderRow& row) {
    return row.store == rows[static_cast<std::size_t>(begin)].store;
  };
  const auto end = std::find_if_not(rows.begin() + begin, rows.end(), same);
  return static_cast<int>(end - rows.begin());
}

int count_runs(std::span<const DecoderRow> rows) {
  int runs = 0;
  for (int row = 0; row < static_cast<int>(rows.size()); row = end_of_run(rows, row)) ++runs;
  return runs;
}

}  // namespace

struct DecoderAttention::Step {
  int layer;
  std::span<const DecoderRow> rows;
  KvRows queries;
  const KvRows* keys;  // to write first, or null
  const KvRows* values;
  float* out;
  std::span<const AttentionCapture> captures;
};

DecoderAttention::DecoderAttention(Isa isa, int max_keys, int pool_size)
    : isa_(isa),
      score_stride_(padded_outputs(max_keys)),
      scratch_stride_(max_tile_rows * (score_stride_ + 2 * head_dim)),
      scratch_(static_cast<std::size_t>(pool_size * scratch_stride_) * sizeof(float)) {}

void DecoderAttention::across(int layer, std::span<const DecoderRow> rows, const KvRows& queries,
                              float* out, std::span<const AttentionCapture> captures,
                              const ThreadPool& pool, int index) {
  work({layer, rows, queries, nullptr, nullptr, out, captures}, pool, index);
}

void DecoderAttention::to_itself(int layer, std::span<const DecoderRow> rows, const KvRows& queries,
                                 const KvRows& keys, const KvRows& values, float* out,
                                 const ThreadPool& pool, int index) {
  work({layer, rows, queries, &keys, &values, out, {}}, pool, index);
}

// A piece of work is one head of the rows of one store: what they read together stays in the cache.
void DecoderAttention::work(const Step& step, const ThreadPool& pool, int index) {
  if (step.rows.empty()) return;
  const int n_head = step.rows.front().store->n_head();
  const Span span = share(count_runs(step.rows) * n_head, index, pool.size());
  float* scratch = scratch_.as<float>() + index * scratch_stride_;
  int piece = 0;
  for (int begin = 0; begin < static_cast<int>(step.rows.size());) {
    const int end = end_of_run(step.rows, begin);
    for (int head = 0; head < n_head; ++head, ++piece) {
      if (piece < span.begin || piece >= span.end) continue;
      for (int row = begin; step.keys != nullptr && row < end; ++row) {
        const DecoderRow& at = step.rows[static_cast<std::size_t>(row)];
        at.store->write(step.layer, head, at.n_key - 1, 1, step.keys->from(row),
                        step.values->from(row));
      }
      for (int row = begin; row < end; row += max_tile_rows) {
        attend(step, head, row, std::min(max_tile_rows, end - row), scratch);
      }
    }
    begin = end;
  }
}

void DecoderAttention::attend(const Step& step, int head, int first, int rows,
                              float* scratch) const {
  const std::span<const DecoderRow> tile =
      step.rows.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(rows));
  const KvStore& store = *tile.front().store;
  const KvKernel kernel = kv_kernel(isa_, store.format());
  const HeadKv kv = store.head(step.layer, head);
  const std::ptrdiff_t n_state = std::ptrdiff_t{store.n_head()} * head_dim;
  const std::ptrdiff_t column = std::ptrdiff_t{head} * head_dim;

  float* scores = scratch;
  float* queries = scores + max_tile_rows * score_stride_;
  float* sums = queries + max_tile_rows * head_dim;
  int n_key = 0;
  for (int r = 0; r < rows; ++r) {
    std::copy_n(step.queries.from(first + r).data + column, head_dim, queries + r * head_dim);
    n_key = std::max(n_key, tile[static_cast<std::size_t>(r)].n_key);
  }
  const int blocks = key_blocks(n_key);
  kernel.score(kv, queries, rows, blocks, scores, score_stride_);
  add_bias(tile.front().bias, 0, n_key, rows, scores, score_stride_);
  float inverse[max_tile_rows];
  for (int r = 0; r < rows; ++r) {
    const int own = tile[static_cast<std::size_t>(r)].n_key;
    float* row = scores + r * score_stride_;
    inverse[r] = 1.0F / kernel.soften(row, own, blocks * key_lanes);
    for (const AttentionCapture& capture : step.captures) {
      if (capture.head != head) continue;
      std::transform(row, row + own, capture.weights + (first + r) * capture.stride,
                     [&](float weight) { return weight * inverse[r]; });
    }
  }
  kernel.sum_values(kv, scores, score_stride_, rows, blocks, sums);
  for (int r = 0; r < rows; ++r) {
    std::transform(sums + r * head_dim, sums + (r + 1) * head_dim,
                   step.out + (first + r) * n_state + column,
                   [&](float sum) { return sum * inverse[r]; });
  }
}

}  // namespace engine::kernels
