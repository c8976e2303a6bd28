#pragma once

#include <array>

namespace platform {

// Variables that decide what the libraries list, and so what is judged. They are always among the
// facts if they are set. A name that the code looks up belongs here.
inline constexpr std::array decisive_variables{
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",  "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "HSA_OVERRIDE_GFX_VERSION",
};

}  // namespace platform
