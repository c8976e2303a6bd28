#pragma once

#include "platform/facts/json_fields.h"
#include "platform/facts/native_facts.h"

// The names that the fields of native facts have in JSON.
namespace platform {

template <class Fields, Like<ProbeResult> T>
void describe(Fields& field, T& probe) {
  field("outcome", probe.outcome);
  field("library", probe.library);
  field("function", probe.function);
  field("code", probe.code);
  field("code_name", probe.code_name);
  field("text", probe.text);
  field("signal", probe.signal);
}

template <class Fields, Like<CudaDevice> T>
void describe(Fields& field, T& device) {
  field("index", device.index);
  field("name", device.name);
  field("uuid", device.uuid);
  field("pci_address", device.pci_address);
  field("compute_capability", device.compute_capability);
  field("total_memory", device.total_memory);
  field("multiprocessors", device.multiprocessors);
  field("integrated", device.integrated);
}

template <class Fields, Like<CudaFacts> T>
void describe(Fields& field, T& cuda) {
  field("probe", cuda.probe);
  field("driver_cuda", cuda.driver_cuda);
  field("devices", cuda.devices);
}

template <class Fields, Like<NvmlDevice> T>
void describe(Fields& field, T& device) {
  field("name", device.name);
  field("uuid", device.uuid);
  field("pci_address", device.pci_address);
  field("total_memory", device.total_memory);
  field("free_memory", device.free_memory);
  field("mig", device.mig);
  field("exclusive", device.exclusive);
}

template <class Fields, Like<NvmlFacts> T>
void describe(Fields& field, T& nvml) {
  field("probe", nvml.probe);
  field("driver_version", nvml.driver_version);
  field("devices", nvml.devices);
}

template <class Fields, Like<HipDevice> T>
void describe(Fields& field, T& device) {
  field("index", device.index);
  field("name", device.name);
  field("gfx", device.gfx);
  field("pci_address", device.pci_address);
  field("total_memory", device.total_memory);
  field("free_memory", device.free_memory);
}

template <class Fields, Like<HipFacts> T>
void describe(Fields& field, T& hip) {
  field("probe", hip.probe);
  field("runtime_version", hip.runtime_version);
  field("devices", hip.devices);
}

template <class Fields, Like<MetalDevice> T>
void describe(Fields& field, T& device) {
  field("name", device.name);
  field("low_power", device.low_power);
  field("unified_memory", device.unified_memory);
  field("mac2", device.mac2);
  field("recommended_working_set", device.recommended_working_set);
  field("allocated", device.allocated);
}

template <class Fields, Like<MetalFacts> T>
void describe(Fields& field, T& metal) {
  field("probe", metal.probe);
  field("macos_version", metal.macos_version);
  field("rosetta", metal.rosetta);
  field("devices", metal.devices);
}

template <class Fields, Like<NativeFacts> T>
void describe(Fields& field, T& native) {
  field("cuda", native.cuda);
  field("nvml", native.nvml);
  field("hip", native.hip);
  field("metal", native.metal);
}

template <class Fields, Like<LibraryLoad> T>
void describe(Fields& field, T& load) {
  field("soname", load.soname);
  field("path", load.path);
  field("error", load.error);
}

template <class Fields, Like<PackLibraries> T>
void describe(Fields& field, T& libraries) {
  field("probe", libraries.probe);
  field("libraries", libraries.libraries);
  field("cudnn", libraries.cudnn);
  field("rocblas_gfx", libraries.rocblas_gfx);
}

}  // namespace platform
