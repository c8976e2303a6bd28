#include "engine/whisper/torch_model/kv_cache.h"

#include "engine/whisper/constants.h"

namespace engine {

KvCache::KvCache(const ModelDims& dims, int n_rows, const at::TensorOptions& options)
    : n_rows_(n_rows),
      current_(at::empty(
          {dims.n_text_layer, 2, n_rows, dims.n_text_head, dims.n_text_ctx, head_dim}, options)) {}

KvCache::KvCache(at::Tensor rows)
    : n_rows_(static_cast<int>(rows.size(2))), current_(std::move(rows)) {}

std::pair<at::Tensor, at::Tensor> KvCache::append(int layer, const at::Tensor& key,
                                                  const at::Tensor& value) {
  const std::int64_t rows = key.size(0);
  const std::int64_t t = key.size(2);
  const auto store = [&](int which, const at::Tensor& values) {
    const at::Tensor kept = current_[layer][which].narrow(0, 0, rows);
    kept.narrow(2, length_, t).copy_(values);
    return kept.narrow(2, 0, length_ + t);
  };
  return {store(0, key), store(1, value)};
}

void KvCache::spread_first_row() {
  if (n_rows_ == 1) return;
  const at::Tensor used = current_.narrow(4, 0, length_);
  used.narrow(2, 1, n_rows_ - 1)
      .copy_(used.narrow(2, 0, 1).expand_as(used.narrow(2, 1, n_rows_ - 1)));
}

void KvCache::reorder(std::span<const int> source_rows) {
  bool same = true;
  for (std::size_t row = 0; row < source_rows.size(); ++row) {
    same &= source_rows[row] == static_cast<int>(row);
  }
  if (same) return;
  if (!other_.defined()) other_ = at::empty_like(current_);
  for (std::size_t row = 0; row < source_rows.size(); ++row) {
    other_.select(2, static_cast<std::int64_t>(row))
        .narrow(3, 0, length_)
        .copy_(current_.select(2, source_rows[row]).narrow(3, 0, length_));
  }
  std::swap(current_, other_);
}

}  // namespace engine
