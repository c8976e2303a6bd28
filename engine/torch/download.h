#pragma once

#include <ATen/ATen.h>
#include <c10/core/Event.h>

#include <optional>

namespace engine {

// A copy of a tensor on its way to the host, in the order of the device's work; nobody waits for it
// until it is asked for. On a CPU it is made at once.
class Download {
 public:
  explicit Download(const at::Tensor& from);

  // Waits for the device, and returns the copy, on the CPU.
  const at::Tensor& wait();

 private:
  at::Tensor host_;
  std::optional<c10::Event> done_;
};

}  // namespace engine
