#pragma once

#include <string>

namespace protocol::worker {

// The device that a worker computes on, and how it does so there.
struct DeviceSettings {
  std::string device = "auto";  // "cpu", "cuda:0", "rocm:0" or "mps"; auto: the CPU
  std::string compute_type = "auto";
  int threads = 0;         // 0: as many as there are physical cores
  bool flash_attn = true;  // fused attention kernels where the device has them
};

}  // namespace protocol::worker
