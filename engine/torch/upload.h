#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>

namespace engine {

// Copies numbers [n] to the device. Where the device can fetch them by itself the call only says so
// and does not wait for what the device was told before.
at::Tensor upload(std::span<const std::int64_t> numbers, const at::Device& device);

// Does the same into the beginning of `place`, int64 on the device.
void upload_to(const at::Tensor& place, std::span<const std::int64_t> numbers);

// Copies tensors of one shape, float32 on the CPU, to the device as one, [n, …].
at::Tensor upload_stacked(std::span<const at::Tensor> tensors, const at::Device& device);

}  // namespace engine
