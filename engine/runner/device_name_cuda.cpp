#include <c10/cuda/CUDAException.h>
#include <cuda_runtime_api.h>

#include "engine/runner/device.h"

// The one source that is compiled with CUDA's headers, for the CUDA worker.
namespace engine {

std::string device_name(const at::Device& device) {
  if (!device.is_cuda()) return {};
  cudaDeviceProp properties{};
  C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, device.index()));
  return properties.name;
}

}  // namespace engine
