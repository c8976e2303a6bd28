#include "engine/whisper/torch_model/tensor_load.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace engine {
namespace {

std::optional<at::ScalarType> scalar_type(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return at::kFloat;
    case DType::f16:
      return at::kHalf;
    case DType::bf16:
      return at::kBFloat16;
    default:
      return std::nullopt;
  }
}

}  // namespace

at::Tensor load_float32(const Weights& weights, const std::string& name) {
  const WeightTensor& source = weights.tensors().at(name);
  at::Tensor tensor = at::empty(source.shape, at::kFloat);
  to_float(source, std::span(tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())));
  return tensor;
}

at::Tensor load_view(const Weights& weights, const std::string& name) {
  const WeightTensor& source = weights.tensors().at(name);
  const auto type = scalar_type(source.dtype);
  if (!type || source.channels_last) return load_float32(weights, name);
  const auto address = reinterpret_cast<std::uintptr_t>(source.data.data());
  if (address % at::elementSize(*type) != 0) {
    at::Tensor tensor = at::empty(source.shape, *type);
    std::memcpy(tensor.data_ptr(), source.data.data(), source.data.size());
    return tensor;
  }
  // ATen has no view of constant memory; nobody writes through a weight.
  return at::from_blob(const_cast<std::byte*>(source.data.data()), source.shape, *type);
}

}  // namespace engine
