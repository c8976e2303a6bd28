#include <algorithm>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/nvidia_checks.h"

namespace platform {
namespace {

struct KernelLists {
  std::vector<ComputeCapability> sure{};
  std::vector<ComputeCapability> uncertain{};
  std::string read_from{};
};

// Returns the lists of the build itself, or, if it has none, those known for its release.
KernelLists read_lists(const Judgement& judgement) {
  const BuildInfo& build = judgement.verdict.pack.build;
  if (!build.arch_list.empty()) return {build.arch_list, {}, "build-info.json of the pack"};
  const TorchRow* row = judgement.matrix.find_torch(build.torch, build.variant, build.origin);
  if (!row) return {};
  const std::string& machine = judgement.facts.os.architecture;
  const bool arm = machine == "aarch64" || machine == "arm64";
  return {arm ? row->arch_aarch64 : row->arch, row->arch_uncertain,
          "torch " + build.torch + " " + build.variant + " in the matrix"};
}

bool any_runs_on(const Matrix& matrix, const std::vector<ComputeCapability>& list,
                 ComputeCapability device) {
  return std::any_of(list.begin(), list.end(), [&](ComputeCapability built_for) {
    return cubin_runs_on(matrix, built_for, device);
  });
}

// Returns true if there are only kernels that the driver has to compile at the first use.
bool only_ptx_serves(Judgement& judgement, ComputeCapability device) {
  const BuildInfo& build = judgement.verdict.pack.build;
  const bool serves = std::any_of(build.ptx_list.begin(), build.ptx_list.end(),
                                  [&](ComputeCapability built_for) { return built_for <= device; });
  if (!serves) return false;
  const std::string found = "PTX for " + joined(build.ptx_list);
  const auto driver = Version::parse(judgement.facts.native.cuda.driver_cuda);
  const auto wanted = Version::parse(build.cuda);
  if (driver && wanted && *driver < *wanted) {
    judgement.add(code::cuda_unsupported_ptx, Severity::blocked,
                  {"a driver for CUDA " + driver->text(), "one for CUDA " + wanted->text(),
                   "cuDriverGetVersion"},
                  found);
    return true;
  }
  judgement.add(code::cuda_kernels_uncertain, Severity::unknown,
                {found, "kernels for " + device.text(), "build-info.json of the pack"},
                device.text());
  return true;
}

}  // namespace

void check_cuda_kernels(Judgement& judgement, const Card& card) {
  const ComputeCapability device = card.compute_capability;
  if (device == ComputeCapability{}) {
    if (!card.cuda) return;  // the finding is then why its driver does not list it
    judgement.add(code::cuda_kernels_uncertain, Severity::unknown,
                  {"the card does not say its architecture", "its compute capability",
                   "cuDeviceGetAttribute, and the matrix for its PCI id"});
    return;
  }
  const KernelLists lists = read_lists(judgement);
  if (any_runs_on(judgement.matrix, lists.sure, device)) return;
  if (only_ptx_serves(judgement, device)) return;
  const bool nothing_known = lists.sure.empty() && lists.uncertain.empty();
  if (nothing_known || any_runs_on(judgement.matrix, lists.uncertain, device)) {
    judgement.add(code::cuda_kernels_uncertain, Severity::unknown,
                  {nothing_known ? "no list of kernels" : "sources that disagree",
                   "kernels for " + device.text(),
                   nothing_known ? "build-info.json and the matrix" : lists.read_from},
                  device.text());
    return;
  }
  judgement.add(code::cuda_no_kernel_image, Severity::blocked,
                {joined(lists.sure), device.text(), lists.read_from}, device.text());
}

}  // namespace platform
