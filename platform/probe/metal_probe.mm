#import <Foundation/Foundation.h>
#import <Metal/Metal.h>
#include <sys/sysctl.h>

#include "platform/facts/native_facts_json.h"
#include "platform/probe/vendor_probes.h"

namespace platform {
namespace {

// True for an Intel program that an Apple processor translates.
bool translated() {
  int value = 0;
  std::size_t size = sizeof value;
  return ::sysctlbyname("sysctl.proc_translated", &value, &size, nullptr, 0) == 0 && value == 1;
}

std::string macos_version() {
  const NSOperatingSystemVersion version = NSProcessInfo.processInfo.operatingSystemVersion;
  return std::to_string(version.majorVersion) + '.' + std::to_string(version.minorVersion) + '.' +
         std::to_string(version.patchVersion);
}

MetalDevice describe_device(id<MTLDevice> device) {
  return {.name = device.name.UTF8String,
          .low_power = device.lowPower == YES,
          .unified_memory = device.hasUnifiedMemory == YES,
          .mac2 = [device supportsFamily:MTLGPUFamilyMac2] == YES,
          .recommended_working_set =
              static_cast<std::int64_t>(device.recommendedMaxWorkingSetSize),
          .allocated = static_cast<std::int64_t>(device.currentAllocatedSize)};
}

}  // namespace

MetalFacts ask_metal(Report& report) {
  MetalFacts facts{.macos_version = macos_version(), .rosetta = translated()};
  facts.probe.library = "Metal.framework";
  report.so_far(to_json(facts));
  report.at("MTLCopyAllDevices");
  @autoreleasepool {
    // Empty in a sandbox without access to the GPU.
    for (id<MTLDevice> device in MTLCopyAllDevices()) {
      facts.devices.push_back(describe_device(device));
    }
  }
  facts.probe.outcome = ProbeOutcome::answered;
  return facts;
}

}  // namespace platform
