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

// Copies tensors of one shape, float32 on the CPU, into the beginning of `place`, float32 on the
// device: they become its first parts, as at::stack makes them.
void upload_stacked_to(const at::Tensor& place, std::span<const at::Tensor> tensors);

}  // namespace engine
