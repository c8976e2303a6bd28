#include "engine/torch/device.h"

// Builds without CUDA have nobody to ask, and the daemon knows the card's name from its probe.
namespace engine {

std::string device_name(const at::Device&) {
  return {};
}

}  // namespace engine
