#include "engine/speakers/networks/packed_layer.h"

#include <cstring>
#include <span>

#include "engine/kernels/chosen_isa.h"
#include "engine/kernels/relu_rows.h"
#include "engine/kernels/rows.h"

namespace engine {
namespace {

const kernels::Kernels& kernels_of_this_cpu() {
  static const kernels::Kernels kernels = kernels::kernels_for(kernels::isa_of_this_cpu().value());
  return kernels;
}

}  // namespace

std::size_t input_bytes(ComputeType type) {
  if (type == ComputeType::int8) return 1;
  return type == ComputeType::bfloat16 ? 2 : 4;
}

LayerRows::LayerRows(ComputeType type, int rows, int widest)
    : type_(type),
      width_(widest),
      bytes_(area(rows, widest) * input_bytes(type)),
      scales_(static_cast<std::size_t>(rows)),
      zeros_(static_cast<std::size_t>(rows)) {}

void LayerRows::put(int row, const float* x) {
  const auto at = static_cast<std::size_t>(row);
  std::byte* to = bytes(row);
  if (type_ == ComputeType::int8) {
    kernels::quantize(x, width_, reinterpret_cast<std::uint8_t*>(to), &scales_[at], &zeros_[at]);
  } else if (type_ == ComputeType::bfloat16) {
    kernels::round_row(x, width_, reinterpret_cast<kernels::Bfloat16*>(to));
  } else {
    std::memcpy(to, x, static_cast<std::size_t>(width_) * sizeof(float));
  }
}

std::byte* LayerRows::bytes(int row) {
  return bytes_.data() + area(row, width_) * input_bytes(type_);
}

void LayerRows::set_scale(int row, float scale) {
  scales_[static_cast<std::size_t>(row)] = scale;
  zeros_[static_cast<std::size_t>(row)] = 0;
}

PackedLayer::PackedLayer(ComputeType type, const at::Tensor& weight, const at::Tensor& bias)
    : type_(type),
      n_in_(static_cast<int>(weight.size(1))),
      n_out_(kernels::padded_outputs(static_cast<int>(weight.size(0)))),
      kernels_(kernels_of_this_cpu()),
      weight_(area(n_out_, n_in_) * input_bytes(type)),
      bias_(static_cast<std::size_t>(n_out_)) {
  const at::Tensor whole = weight.contiguous();
  const std::span numbers(whole.data_ptr<float>(), static_cast<std::size_t>(whole.numel()));
  const int outputs = static_cast<int>(weight.size(0));
  if (bias.defined()) {
    const at::Tensor row = bias.contiguous();
    std::copy_n(row.data_ptr<float>(), outputs, bias_.begin());
  }
  if (type == ComputeType::int8) {
    scale_.resize(bias_.size());
    sum_.resize(bias_.size());
    kernels::pack_int8(numbers, outputs, n_in_, reinterpret_cast<std::int8_t*>(weight_.data()),
                       scale_.data(), sum_.data());
  } else if (type == ComputeType::bfloat16) {
    kernels::pack_bfloat16(numbers, outputs, n_in_,
                           reinterpret_cast<kernels::Bfloat16*>(weight_.data()));
  } else {
    kernels::pack_float32(numbers, outputs, n_in_, reinterpret_cast<float*>(weight_.data()));
  }
}

void PackedLayer::operator()(const LayerRows& x, int rows, float* out,
                             std::ptrdiff_t stride) const {
  const kernels::Panels panels{0, n_out_ / kernels::panel_width};
  const kernels::Output output{kernels::Store::float32, out, stride};
  const auto* inputs = x.bytes_.data();
  const auto* weight = weight_.data();
  if (type_ == ComputeType::int8) {
    kernels_.gemm_int8(
        {reinterpret_cast<const std::uint8_t*>(inputs), x.scales_.data(), x.zeros_.data()}, rows,
        {n_in_, n_out_, reinterpret_cast<const std::int8_t*>(weight), scale_.data(), sum_.data(),
         bias_.data()},
        panels, output);
  } else if (type_ == ComputeType::bfloat16) {
    kernels_.gemm_bfloat16(
        {reinterpret_cast<const kernels::Bfloat16*>(inputs), n_in_}, rows,
        {n_in_, n_out_, reinterpret_cast<const kernels::Bfloat16*>(weight), bias_.data()}, panels,
        output);
  } else {
    floats(reinterpret_cast<const float*>(inputs), n_in_, rows, out, stride);
  }
}

void PackedLayer::floats(const float* x, std::ptrdiff_t x_stride, int rows, float* out,
                         std::ptrdiff_t stride, kernels::Store store) const {
  kernels_.gemm_float32(
      {x, x_stride}, rows,
      {n_in_, n_out_, reinterpret_cast<const float*>(weight_.data()), bias_.data()},
      {0, n_out_ / kernels::panel_width}, {store, out, stride});
}

}  // namespace engine
