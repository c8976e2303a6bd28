#include "engine/cuda_kernels/arguments.h"

#include <algorithm>

namespace engine::cuda_kernels {
namespace {

constexpr int wanted_blocks = 256;
constexpr int least_keys = 64;

void check_store(const at::Tensor& keys, const at::Tensor& values, const char* where) {
  TORCH_CHECK(keys.dim() == 4 && values.sizes() == keys.sizes() &&
                  values.strides() == keys.strides() && keys.size(3) == head_width &&
                  keys.stride(3) == 1 && keys.stride(2) == head_width,
              where, ": keys and values have odd shapes");
}

// The scales have the strides of what they belong to, divided by the numbers that each is of.
void check_scales(const StoredRows& rows, at::ScalarType type, const char* where) {
  const auto dims = static_cast<std::size_t>(rows.values.dim() - 1);
  const auto n = rows.values.size(-1);
  bool fit = rows.scales.scalar_type() == type &&
             rows.scales.sizes() == rows.values.sizes().slice(0, dims);
  for (std::size_t i = 0; fit && i < dims; ++i) {
    fit = rows.scales.strides()[i] * n == rows.values.strides()[i];
  }
  TORCH_CHECK(fit, where, ": the scales do not fit");
}

void check_type(const StoredRows& rows, at::ScalarType type, const char* where) {
  TORCH_CHECK(rows.values.scalar_type() == (rows.is_int8() ? at::kChar : type), where,
              ": types differ");
  if (rows.is_int8()) check_scales(rows, type, where);
}

}  // namespace

int splits_for(int rows, int heads, int length) {
  const int needed = (length + keys_of_a_split - 1) / keys_of_a_split;
  const int wanted = wanted_blocks / std::max(1, rows * heads);
  const int most = std::max(1, length / least_keys);
  return std::max(needed, std::min(wanted, most));
}

AttentionScratch make_scratch(const FusedAttention& call, const at::Device& device) {
  const int heads = static_cast<int>(call.keys.values.size(1));
  const int row_heads = call.rows * heads;
  const int splits = splits_for(call.rows, heads, call.length);
  const at::TensorOptions there(device);
  return {at::empty({row_heads, splits, head_width + 2}, there.dtype(at::kFloat)),
          at::zeros({row_heads}, there.dtype(at::kInt))};
}

void check(const FusedLinear& call) {
  const at::Tensor& weight = call.matrix.weight.values;
  const auto n = weight.size(0);
  const auto k = weight.size(1);
  const bool appends = call.epilogue == Epilogue::append;
  const bool is_logits = call.epilogue == Epilogue::logits;
  const auto columns = appends ? n / 3 : n;
  TORCH_CHECK(call.x.is_contiguous() && weight.is_contiguous() && call.out.is_contiguous(),
              "fused linear: tensors are not dense");
  check_type(call.matrix.weight, call.x.scalar_type(), "fused linear");
  TORCH_CHECK(call.out.scalar_type() == (is_logits ? at::kFloat : call.x.scalar_type()),
              "fused linear: types differ");
  TORCH_CHECK(k % tile == 0 && n >= tile &&
                  (n % tile == 0 || !(appends || call.epilogue == Epilogue::add)) &&
                  (!appends || n % (3 * head_width) == 0),
              "fused linear: a weight of ", n, " by ", k);
  TORCH_CHECK(call.rows > 0 && call.x.size(0) >= whole_tiles(call.rows) && call.x.size(1) == k &&
                  call.out.size(0) >= call.rows && call.out.size(1) == columns,
              "fused linear: ", call.rows, " rows do not fit");
  TORCH_CHECK(
      !call.norm_weight.defined() || (call.norm_weight.scalar_type() == call.x.scalar_type() &&
                                      call.norm_weight.numel() == k && call.norm_bias.numel() == k),
      "fused linear: the layer norm does not fit");
  if (!appends) return;
  check_store(call.keys, call.values, "fused linear");
  TORCH_CHECK(call.keys.size(1) * head_width == columns && call.slots.numel() >= call.rows &&
                  call.positions.numel() >= call.rows,
              "fused linear: the store does not fit");
}

void check(const FusedAttention& call) {
  const at::Tensor& keys = call.keys.values;
  const at::ScalarType type = call.query.scalar_type();
  check_store(keys, call.values.values, "fused attention");
  check_type(call.keys, type, "fused attention");
  check_type(call.values, type, "fused attention");
  const auto width = keys.size(1) * head_width;
  TORCH_CHECK(call.query.is_contiguous() && call.out.is_contiguous() &&
                  call.query.size(1) == width && call.out.size(1) == width &&
                  call.out.scalar_type() == type && call.keys.is_int8() == call.values.is_int8(),
              "fused attention: query and result have odd shapes or types");
  TORCH_CHECK(call.rows > 0 && call.query.size(0) >= call.rows && call.out.size(0) >= call.rows &&
                  call.slots.numel() >= call.rows && call.length > 0 &&
                  call.length <= keys.size(2) &&
                  (!call.positions.defined() || call.positions.numel() >= call.rows),
              "fused attention: ", call.rows, " rows of ", call.length, " do not fit");
  TORCH_CHECK(!call.key_bias.defined() ||
                  (call.key_bias.scalar_type() == at::kFloat && call.key_bias.dim() == 2 &&
                   call.key_bias.size(0) == keys.size(0) && call.key_bias.stride(1) == 1 &&
                   call.key_bias.size(1) >= call.length),
              "fused attention: the bias of the keys does not fit");
}

}  // namespace engine::cuda_kernels
