#pragma once

#include <cstddef>

// The part of the CUDA driver's interface (libcuda.so.1) that the probe uses, as function types. No
// function here creates a context, so asking takes no memory of the card. Where a name has a suffix
// (_v2), the unsuffixed one is another function with narrower types and is not a substitute.
namespace platform::cuda_api {

using Device = int;
struct Uuid {
  unsigned char bytes[16];
};

inline constexpr int attribute_multiprocessors = 16;
inline constexpr int attribute_integrated = 18;
inline constexpr int attribute_capability_major = 75;
inline constexpr int attribute_capability_minor = 76;

using Init = int(unsigned flags);             // cuInit
using DriverGetVersion = int(int* version);   // cuDriverGetVersion: 12040 is 12.4
using DeviceGetCount = int(int* count);       // cuDeviceGetCount
using DeviceGet = int(Device*, int ordinal);  // cuDeviceGet
using DeviceGetName = int(char* name, int size, Device);
using DeviceGetAttribute = int(int* value, int attribute, Device);
using DeviceTotalMem = int(std::size_t* bytes, Device);  // cuDeviceTotalMem_v2
using DeviceGetUuid = int(Uuid*, Device);                // cuDeviceGetUuid
using DeviceGetPciBusId = int(char* id, int size, Device);
using GetErrorText = int(int code, const char** text);  // cuGetErrorName, cuGetErrorString

}  // namespace platform::cuda_api
