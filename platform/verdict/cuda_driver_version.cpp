#include "platform/verdict/finding_codes.h"
#include "platform/verdict/nvidia_checks.h"

namespace platform {
namespace {

struct Driver {
  std::optional<Version> version{};  // Linux numbering; unknown in WSL and on Jetsons
  std::string read_from{};
  std::optional<Version> cuda{};  // the newest CUDA that the driver knows
};

Driver read_driver(const Facts& facts, const Card& card) {
  Driver driver{.cuda = Version::parse(facts.native.cuda.driver_cuda)};
  // In WSL the driver is that of Windows, which has another numbering; a Jetson's has its own
  // numbers.
  if (facts.os.wsl || (card.cuda && card.cuda->integrated)) return driver;
  driver.version = Version::parse(facts.nvidia.module_version);
  driver.read_from = facts.nvidia.module_read_from;
  if (driver.version) return driver;
  driver.version = Version::parse(facts.native.nvml.driver_version);
  driver.read_from = "nvmlSystemGetDriverVersion";
  return driver;
}

// Returns whether libcuda is that of the package cuda-compat, which brings a newer CUDA to an older
// kernel module.
bool uses_forward_compatibility(const Facts& facts) {
  return facts.native.cuda.probe.library.find("/compat/") != std::string::npos;
}

// Returns true if the driver is below the floor of the CUDA major version, where nothing runs.
bool below_hard_floor(Judgement& judgement, const Driver& driver, int cuda_major) {
  const DriverFloorRow* floor = judgement.matrix.find_driver_floor(cuda_major);
  const bool cuda_is_known = driver.cuda.has_value();
  const bool cuda_suffices = cuda_is_known && driver.cuda->major() >= cuda_major;
  if (floor && driver.version) {
    const bool compat = uses_forward_compatibility(judgement.facts) && cuda_suffices;
    if (*driver.version >= floor->linux_driver || compat) return false;
    judgement.add(code::cuda_driver_too_old, Severity::blocked,
                  {driver.version->text(), floor->linux_driver.text(), driver.read_from},
                  "CUDA " + judgement.verdict.pack.build.cuda);
    return true;
  }
  if (!cuda_is_known || cuda_suffices) return false;
  judgement.add(code::cuda_driver_too_old, Severity::blocked,
                {"a driver for CUDA " + driver.cuda->text(),
                 "one for CUDA " + std::to_string(cuda_major), "cuDriverGetVersion"},
                "CUDA " + judgement.verdict.pack.build.cuda);
  return true;
}

bool below_floor_of_card(Judgement& judgement, const Driver& driver, ComputeCapability cc) {
  if (!driver.version) return false;
  for (const auto& rule : judgement.matrix.driver_rules) {
    if (cc < rule.from || rule.to < cc || driver.version->major() >= rule.min_driver_major)
      continue;
    judgement.add(code::cuda_driver_too_old_for_card, Severity::blocked,
                  {driver.version->text(), std::to_string(rule.min_driver_major), driver.read_from},
                  "compute capability " + cc.text());
    return true;
  }
  return false;
}

void note_toolkit(Judgement& judgement, const Driver& driver) {
  const std::string& cuda = judgement.verdict.pack.build.cuda;
  const ToolkitRow* toolkit = judgement.matrix.find_toolkit(cuda);
  if (!toolkit || !driver.version || *driver.version >= toolkit->linux_driver) return;
  judgement.add(code::cuda_driver_older_than_toolkit, Severity::note,
                {driver.version->text(), toolkit->linux_driver.text(), driver.read_from},
                "CUDA " + cuda);
}

}  // namespace

void check_cuda_driver(Judgement& judgement, const Card& card) {
  const auto cuda = Version::parse(judgement.verdict.pack.build.cuda);
  const Driver driver = read_driver(judgement.facts, card);
  const bool too_old = cuda && below_hard_floor(judgement, driver, cuda->major());
  if (too_old || below_floor_of_card(judgement, driver, card.compute_capability) || !cuda) return;
  note_toolkit(judgement, driver);
}

}  // namespace platform
