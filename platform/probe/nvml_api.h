#pragma once

// The part of NVIDIA's management library (libnvidia-ml.so.1) that the probe uses.
namespace platform::nvml_api {

using Device = struct DeviceHandle*;

// This is nvmlPciInfo_t. Older versions of the function fill a shorter structure with the same
// beginning.
struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(PciInfo) == 68);

// This is nvmlMemory_t of nvmlDeviceGetMemoryInfo without a suffix, in bytes.
struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

using Init = int();  // nvmlInit_v2
using SystemGetDriverVersion = int(char* version, unsigned size);
using DeviceGetCount = int(unsigned* count);                   // nvmlDeviceGetCount_v2
using DeviceGetHandleByIndex = int(unsigned index, Device*);   // …_v2
using DeviceGetText = int(Device, char* text, unsigned size);  // …GetName, …GetUUID
using DeviceGetPciInfo = int(Device, PciInfo*);                // …_v3
using DeviceGetMemoryInfo = int(Device, Memory*);              // no suffix
using DeviceGetMigMode = int(Device, unsigned* current, unsigned* pending);
using DeviceGetMaxMigDeviceCount = int(Device, unsigned* count);
using DeviceGetMigDeviceHandleByIndex = int(Device, unsigned index, Device* instance);
using DeviceGetComputeMode = int(Device, int* mode);  // 0: any number of processes
using ErrorString = const char*(int code);

}  // namespace platform::nvml_api
