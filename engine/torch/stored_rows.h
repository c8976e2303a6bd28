#pragma once

#include <ATen/ATen.h>

namespace engine {

// Rows of numbers in a device's memory: as they are, or in int8 with a scale for each row.
struct StoredRows {
  at::Tensor values;    // [..., n], int8 where there are scales
  at::Tensor scales{};  // [...], of the numbers' type: number = value · scale; or undefined

  bool is_int8() const { return scales.defined(); }

  // Returns views of a part, or copies of some parts, along a dimension before the last.
  StoredRows select(std::int64_t dim, std::int64_t index) const;
  StoredRows narrow(std::int64_t dim, std::int64_t begin, std::int64_t count) const;
  StoredRows index_select(std::int64_t dim, const at::Tensor& indices) const;

  // Writes numbers [..., n] to some parts, rounded where the rows are int8.
  void put(std::int64_t dim, const at::Tensor& indices, const at::Tensor& numbers) const;
  // Makes all numbers of some parts zero.
  void clear(std::int64_t dim, const at::Tensor& indices) const;
};

// Rounds the last dimension of x [..., n] to int8; the largest number of a row becomes 127. On a
// device it only enqueues, and can be recorded.
StoredRows rounded_to_int8(const at::Tensor& x);

// Returns the numbers, those of int8 in the type of their scales.
at::Tensor to_numbers(const StoredRows& rows);

}  // namespace engine
