#include "engine/torch/upload.h"

#include <cstring>
#include <vector>

namespace engine {
namespace {

// libtorch keeps pinned memory until the copy has been made.
at::Tensor host_memory(at::IntArrayRef sizes, at::ScalarType type, const at::Device& device) {
  return at::empty(sizes, at::TensorOptions(type).pinned_memory(device.is_cuda()));
}

at::Tensor host_numbers(std::span<const std::int64_t> numbers, const at::Device& device) {
  at::Tensor host = host_memory({static_cast<std::int64_t>(numbers.size())}, at::kLong, device);
  if (!numbers.empty()) {
    std::memcpy(host.mutable_data_ptr<std::int64_t>(), numbers.data(), numbers.size_bytes());
  }
  return host;
}

}  // namespace

at::Tensor upload(std::span<const std::int64_t> numbers, const at::Device& device) {
  return host_numbers(numbers, device).to(device, /*non_blocking=*/true);
}

void upload_to(const at::Tensor& place, std::span<const std::int64_t> numbers) {
  place.narrow(0, 0, static_cast<std::int64_t>(numbers.size()))
      .copy_(host_numbers(numbers, place.device()), /*non_blocking=*/true);
}

void upload_stacked_to(const at::Tensor& place, std::span<const at::Tensor> tensors) {
  const std::vector<at::Tensor> parts(tensors.begin(), tensors.end());
  const at::Tensor first = place.narrow(0, 0, static_cast<std::int64_t>(parts.size()));
  at::Tensor host = host_memory(first.sizes(), at::kFloat, place.device());
  at::stack_out(host, parts);
  first.copy_(host, /*non_blocking=*/true);
}

}  // namespace engine
