#include <algorithm>

#include "platform/matrix/matrix.h"

namespace platform {
namespace {

template <class Row, class Is>
const Row* find_row(const std::vector<Row>& rows, Is is) {
  const auto it = std::find_if(rows.begin(), rows.end(), is);
  return it == rows.end() ? nullptr : &*it;
}

bool contains(const std::vector<ComputeCapability>& list, ComputeCapability cc) {
  return std::find(list.begin(), list.end(), cc) != list.end();
}

// Returns whether two versions are one release, as "2.11.0+cu130" and "2.11" are; patch releases
// share the shape of their binaries.
bool same_release(std::string_view a, std::string_view b) {
  const auto first = Version::parse(a.substr(0, a.find('+')));
  const auto second = Version::parse(b.substr(0, b.find('+')));
  return first && second && first->major() == second->major() && first->minor() == second->minor();
}

}  // namespace

const TorchRow* Matrix::find_torch(std::string_view release, std::string_view variant,
                                   std::string_view origin) const {
  return find_row(torch, [&](const TorchRow& row) {
    return row.variant == variant && row.origin == origin && same_release(row.torch, release);
  });
}

const DriverFloorRow* Matrix::find_driver_floor(int cuda_major) const {
  return find_row(driver_floors,
                  [&](const DriverFloorRow& row) { return row.cuda_major == cuda_major; });
}

const ToolkitRow* Matrix::find_toolkit(std::string_view cuda) const {
  return find_row(toolkits, [&](const ToolkitRow& row) { return same_release(row.cuda, cuda); });
}

const PrecisionRow* Matrix::find_precision(ComputeCapability cc) const {
  return find_row(precision, [&](const PrecisionRow& row) {
    return row.from <= cc && (!row.to || cc <= *row.to);
  });
}

const GfxRow* Matrix::find_gfx(std::string_view name) const {
  return find_row(gfx, [&](const GfxRow& row) { return row.gfx == name; });
}

const ModelRow* Matrix::find_model(std::string_view name) const {
  return find_row(models, [&](const ModelRow& row) {
    return row.name == name ||
           std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end();
  });
}

const TestedRow* Matrix::find_tested(std::string_view release, std::string_view variant,
                                     std::string_view cudnn_version) const {
  return find_row(tested, [&](const TestedRow& row) {
    const bool same_cudnn = row.cudnn.empty() || same_release(row.cudnn, cudnn_version);
    return row.torch == release.substr(0, release.find('+')) && row.variant == variant &&
           same_cudnn;
  });
}

const CardRow* Matrix::find_card(std::uint16_t vendor, std::uint16_t device) const {
  return find_row(cards,
                  [&](const CardRow& row) { return row.vendor == vendor && row.device == device; });
}

const FindingRow* Matrix::find_finding(std::string_view code) const {
  return find_row(findings, [&](const FindingRow& row) { return row.code == code; });
}

const StatusCodeRow* Matrix::find_status(std::string_view library, int code) const {
  return find_row(status_codes, [&](const StatusCodeRow& row) {
    return row.library == library && row.code == code;
  });
}

bool cubin_runs_on(const Matrix& matrix, ComputeCapability built_for, ComputeCapability device) {
  const CubinRow* rule =
      find_row(matrix.cubins, [&](const CubinRow& row) { return row.built_for == built_for; });
  if (rule && contains(rule->also, device)) return true;
  if (rule && rule->exact) return device == built_for;
  if (rule && contains(rule->except, device)) return false;
  return device.major == built_for.major && device.minor >= built_for.minor;
}

}  // namespace platform
