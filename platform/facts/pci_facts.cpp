#include "platform/facts/pci_facts.h"

#include "platform/facts/pci_ids.h"
#include "platform/facts/text.h"

namespace platform {
namespace {

constexpr char devices_folder[] = "/sys/bus/pci/devices/";

// The first byte of the class decides: 3 is a display controller, 0x12 a processing accelerator.
bool is_gpu(const std::string& class_word) {
  const bool complete = class_word.size() == 8 && class_word.starts_with("0x");
  if (!complete) return false;
  const auto base = parse_hex16(std::string_view(class_word).substr(2, 2));
  return base == 0x03 || base == 0x12;
}

std::string bound_driver(const FileReader& files, const std::string& folder) {
  const auto driver = files.resolve(folder + "/driver");
  return driver.empty() ? "" : driver.substr(driver.rfind('/') + 1);
}

void name_them(const FileReader& files, std::vector<PciGpu>& gpus) {
  PciIds ids;
  for (const auto& gpu : gpus) ids.want(gpu.vendor, gpu.device);
  for (const char* path : {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"}) {
    if (!files.exists(path)) continue;
    files.lines(path, [&](std::string_view line) { return ids.take(line); });
    break;
  }
  for (auto& gpu : gpus) gpu.name = ids.name(gpu.vendor, gpu.device);
}

}  // namespace

std::vector<PciGpu> read_pci(const FileReader& files) {
  std::vector<PciGpu> gpus;
  for (const auto& address : files.names(devices_folder)) {
    const std::string folder = devices_folder + address;
    if (!is_gpu(files.word(folder + "/class"))) continue;
    const auto vendor = parse_hex16(files.word(folder + "/vendor"));
    const auto device = parse_hex16(files.word(folder + "/device"));
    if (!vendor || !device) continue;
    gpus.push_back({.address = address,
                    .vendor = *vendor,
                    .device = *device,
                    .driver = bound_driver(files, folder)});
  }
  if (!gpus.empty()) name_them(files, gpus);
  return gpus;
}

}  // namespace platform
