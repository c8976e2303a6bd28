#pragma once

#include "engine/cuda_kernels/one_query_attention.h"
#include "engine/cuda_kernels/step_kernels.h"

// The kernels' arguments from tensors, the same for cards and for the CPU.
namespace engine::cuda_kernels {

// Returns into how many pieces the keys of a head are cut: at most 512 in each, and so many that
// about 256 blocks run, but none with fewer than 64 keys.
int splits_for(int rows, int heads, int length);

// The blocks of a head join their pieces by these numbers.
struct AttentionScratch {
  at::Tensor partial;   // [rows·heads, splits, 66] float32
  at::Tensor counters;  // [rows·heads] int32, zeros
};

AttentionScratch make_scratch(const FusedAttention& call, const at::Device& device);

// Throw c10::Error where shapes, types or strides do not fit.
void check(const FusedLinear& call);
void check(const FusedAttention& call);

template <class T>
LinearArguments<T> arguments_of(const FusedLinear& call) {
  check(call);
  const auto data = [](const at::Tensor& tensor) {
    return tensor.defined() ? static_cast<T*>(tensor.data_ptr()) : nullptr;
  };
  const auto numbers = [](const at::Tensor& tensor) {
    return tensor.defined() ? tensor.const_data_ptr<std::int64_t>() : nullptr;
  };
  const bool is_logits = call.epilogue == Epilogue::logits;
  const StoredRows& weight = call.matrix.weight;
  return {.x = data(call.x),
          .weight = weight.is_int8() ? nullptr : data(weight.values),
          .int8_weight = weight.is_int8() ? weight.values.const_data_ptr<signed char>() : nullptr,
          .scales = data(weight.scales),
          .bias = data(call.matrix.bias),
          .norm_weight = data(call.norm_weight),
          .norm_bias = data(call.norm_bias),
          .out = is_logits ? nullptr : data(call.out),
          .logits = is_logits ? call.out.data_ptr<float>() : nullptr,
          .keys = data(call.keys),
          .values = data(call.values),
          .slots = numbers(call.slots),
          .positions = numbers(call.positions),
          .slot_stride = call.keys.defined() ? call.keys.stride(0) : 0,
          .head_stride = call.keys.defined() ? call.keys.stride(1) : 0,
          .rows = call.rows,
          .n = static_cast<int>(weight.values.size(0)),
          .k = static_cast<int>(weight.values.size(1))};
}

template <class T, class Stored = T>
AttentionArguments<T, Stored> arguments_of(const FusedAttention& call,
                                           const AttentionScratch& scratch) {
  check(call);
  const at::Tensor& keys = call.keys.values;
  const int heads = static_cast<int>(keys.size(1));
  const auto scales = [](const at::Tensor& tensor) {
    return tensor.defined() ? static_cast<const T*>(tensor.data_ptr()) : nullptr;
  };
  return {.query = static_cast<const T*>(call.query.data_ptr()),
          .keys = static_cast<const Stored*>(keys.data_ptr()),
          .values = static_cast<const Stored*>(call.values.values.data_ptr()),
          .key_scales = scales(call.keys.scales),
          .value_scales = scales(call.values.scales),
          .key_bias = call.key_bias.defined() ? call.key_bias.const_data_ptr<float>() : nullptr,
          .slots = call.slots.const_data_ptr<std::int64_t>(),
          .positions =
              call.positions.defined() ? call.positions.const_data_ptr<std::int64_t>() : nullptr,
          .out = static_cast<T*>(call.out.data_ptr()),
          .partial = scratch.partial.data_ptr<float>(),
          .counters = scratch.counters.data_ptr<int>(),
          .slot_stride = keys.stride(0),
          .head_stride = keys.stride(1),
          .bias_stride = call.key_bias.defined() ? call.key_bias.stride(0) : 0,
          .rows = call.rows,
          .heads = heads,
          .length = call.length,
          .splits = splits_for(call.rows, heads, call.length)};
}

inline int count_columns_of_blocks(const FusedLinear& call) {
  return (static_cast<int>(call.matrix.weight.values.size(0)) + tile - 1) / tile;
}
inline int count_rows_of_blocks(const FusedLinear& call) {
  return static_cast<int>(whole_tiles(call.rows)) / tile;
}

}  // namespace engine::cuda_kernels
