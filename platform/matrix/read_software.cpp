#include <algorithm>

#include "platform/matrix/rows.h"

// This file reads the rows about software and its needs: torch builds, drivers, toolkits, cuDNN,
// macOS.
namespace platform {
namespace {

bool all_are_gfx(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(),
                     [](const std::string& name) { return name.starts_with("gfx"); });
}

// Returns whether the versions fit the variant: "cu130" has a CUDA version, "rocm7.2" a ROCm
// version, "cpu" neither.
bool variant_fits(const TorchRow& torch) {
  if (torch.variant == "cpu") return torch.cuda.empty() && torch.rocm.empty();
  if (torch.variant.starts_with("cu")) return !torch.cuda.empty() && torch.rocm.empty();
  if (torch.variant.starts_with("rocm")) return torch.cuda.empty() && !torch.rocm.empty();
  return false;
}

}  // namespace

TorchRow read_torch(RowReader& row) {
  TorchRow torch{.torch = row.version("torch").text(), .variant = row.text("variant")};
  if (row.has("origin")) torch.origin = row.text("origin");
  if (const auto cuda = row.optional_version("cuda")) torch.cuda = cuda->text();
  if (const auto cudnn = row.optional_version("cudnn")) torch.cudnn = cudnn->text();
  if (const auto rocm = row.optional_version("rocm")) torch.rocm = rocm->text();
  torch.arch = row.capabilities("arch");
  torch.arch_aarch64 = row.capabilities("arch_aarch64");
  torch.arch_windows = row.capabilities("arch_windows");
  torch.arch_uncertain = row.capabilities("arch_uncertain");
  torch.gfx = row.texts("gfx");
  torch.gfx_uncertain = row.texts("gfx_uncertain");
  torch.evidence = row.text("evidence");
  torch.sources = row.texts("sources");
  if (!variant_fits(torch)) row.refuse("variant and the versions of CUDA and ROCm disagree");
  if (!all_are_gfx(torch.gfx) || !all_are_gfx(torch.gfx_uncertain)) {
    row.refuse("gfx holds something that is no gfx name");
  }
  return torch;
}

DriverFloorRow read_driver_floor(RowReader& row) {
  return {.cuda_major = row.whole("cuda_major", 1, 1000),
          .linux_driver = row.version("linux"),
          .windows_driver = row.optional_version("windows")};
}

ToolkitRow read_toolkit(RowReader& row) {
  return {.cuda = row.version("cuda").text(),
          .linux_driver = row.version("linux"),
          .windows_driver = row.optional_version("windows")};
}

DriverRuleRow read_driver_rule(RowReader& row) {
  DriverRuleRow rule{.from = row.capability("from"),
                     .to = row.capability("to"),
                     .min_driver_major = row.whole("min_driver_major", 1, 100'000)};
  if (rule.to < rule.from) row.refuse("to is below from");
  return rule;
}

CubinRow read_cubin(RowReader& row) {
  return {.built_for = row.capability("built_for"),
          .exact = row.flag("exact"),
          .except = row.capabilities("except"),
          .also = row.capabilities("also")};
}

CudnnRow read_cudnn(RowReader& row) {
  CudnnRow cudnn{.from = row.version("from"),
                 .before = row.optional_version("before"),
                 .min_compute_capability = row.capability("min_compute_capability")};
  if (cudnn.before && *cudnn.before <= cudnn.from) row.refuse("before is not above from");
  return cudnn;
}

MpsRow read_mps(RowReader& row) {
  MpsRow mps{.min_macos = row.version("min_macos")};
  const Version from = row.version("torch_from");
  const Version to = row.version("torch_to");
  if (to < from) row.refuse("torch_to is below torch_from");
  mps.torch_from = from.text();
  mps.torch_to = to.text();
  return mps;
}

}  // namespace platform
