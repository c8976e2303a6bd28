#include "engine/torch/placement.h"

namespace engine {

at::ScalarType scalar_type(ComputeType type) {
  switch (type) {
    case ComputeType::float16:
      return at::kHalf;
    case ComputeType::bfloat16:
      return at::kBFloat16;
    case ComputeType::int8:  // what lies between its layers
    case ComputeType::float32:
      return at::kFloat;
  }
  return at::kFloat;
}

Placement placement_of(const at::Device& device, ComputeType type) {
  if (type != ComputeType::int8 || device.is_cpu()) return {device, type};
  return {device, ComputeType::float16, /*int8_weights=*/true};
}

at::TensorOptions Placement::options() const {
  return at::TensorOptions(device).dtype(scalar_type(type));
}

at::Tensor place(const at::Tensor& tensor, const Placement& placement) {
  return tensor.to(scalar_type(placement.type)).to(placement.device);
}

}  // namespace engine
