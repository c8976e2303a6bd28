#include "engine/torch/stored_rows.h"

namespace engine {

StoredRows StoredRows::select(std::int64_t dim, std::int64_t index) const {
  return {values.select(dim, index), is_int8() ? scales.select(dim, index) : at::Tensor()};
}

StoredRows StoredRows::narrow(std::int64_t dim, std::int64_t begin, std::int64_t count) const {
  return {values.narrow(dim, begin, count),
          is_int8() ? scales.narrow(dim, begin, count) : at::Tensor()};
}

StoredRows StoredRows::index_select(std::int64_t dim, const at::Tensor& indices) const {
  return {values.index_select(dim, indices),
          is_int8() ? scales.index_select(dim, indices) : at::Tensor()};
}

void StoredRows::put(std::int64_t dim, const at::Tensor& indices, const at::Tensor& numbers) const {
  const StoredRows rows = is_int8() ? rounded_to_int8(numbers) : StoredRows{numbers};
  values.index_copy_(dim, indices, rows.values);
  if (is_int8()) scales.index_copy_(dim, indices, rows.scales);
}

void StoredRows::clear(std::int64_t dim, const at::Tensor& indices) const {
  values.index_fill_(dim, indices, 0);
  if (is_int8()) scales.index_fill_(dim, indices, 0);
}

// A row of zeros has the least scale instead of zero. Scales that small have few digits in float16,
// so that quotients may lie beyond 127.
StoredRows rounded_to_int8(const at::Tensor& x) {
  constexpr double most = 127;
  constexpr double least_scale = 6e-8;  // the smallest number of float16
  const at::Tensor scales =
      at::amax(at::abs(x), -1, /*keepdim=*/true).div_(most).clamp_min_(least_scale);
  return {at::div(x, scales).round_().clamp_(-most, most).to(at::kChar), scales.squeeze(-1)};
}

at::Tensor to_numbers(const StoredRows& rows) {
  return rows.is_int8() ? at::mul(rows.values, rows.scales.unsqueeze(-1)) : rows.values;
}

}  // namespace engine
