#pragma once

#include <cstddef>

// The part of AMD's HIP runtime (libamdhip64.so.5 to .7) that the probe uses.
namespace platform::hip_api {

// hipGetDevicePropertiesR0600 fills the device properties as ROCm 6 laid them out; ROCm 7 kept
// function and layout. They are 1472 bytes with gcnArchName[256] at 1160: offsetof over the
// structure in hip/hip_runtime_api.h of ROCm 6, LP64. The buffer is larger, so that a runtime that
// appends fields writes into slack. ROCm 5 lacks the function; the name then comes from the kernel.
inline constexpr std::size_t properties_bytes = 16384;
inline constexpr std::size_t architecture_offset = 1160;
inline constexpr std::size_t architecture_bytes = 256;

using Init = int(unsigned flags);             // hipInit
using RuntimeGetVersion = int(int* version);  // 60342134 is 6.3.42134
using GetDeviceCount = int(int* count);       // hipGetDeviceCount
using SetDevice = int(int device);            // hipSetDevice
using DeviceGetName = int(char* name, int size, int device);
using DeviceGetPciBusId = int(char* id, int size, int device);
using DeviceTotalMem = int(std::size_t* bytes, int device);
using MemGetInfo = int(std::size_t* free, std::size_t* total);  // memory of the device that is set
using GetDeviceProperties = int(void* properties, int device);  // …R0600
using GetErrorText = const char*(int code);  // hipGetErrorName, hipGetErrorString

}  // namespace platform::hip_api
