#include <cuda_runtime_api.h>

#include "engine/torch/device.h"

// The one source that is compiled with CUDA's headers, for the CUDA worker.
namespace engine {

std::string device_name(const at::Device& device) {
  if (!device.is_cuda()) return {};
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, device.index()) == cudaSuccess) return properties.name;
  static_cast<void>(cudaGetLastError());  // the next call would report it
  return {};
}

}  // namespace engine
