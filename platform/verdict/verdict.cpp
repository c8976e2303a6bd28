#include "platform/verdict/verdict.h"

#include <algorithm>

namespace platform {

const char* name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::ok_with_notes:
      return "ok_with_notes";
    case Status::degraded:
      return "degraded";
    case Status::unknown:
      return "unknown";
    case Status::blocked:
      return "blocked";
  }
  return "unknown";
}

const Finding* Verdict::headline() const {
  const auto worst =
      std::max_element(findings.begin(), findings.end(),
                       [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  return worst == findings.end() ? nullptr : &*worst;
}

std::string Verdict::device() const {
  if (backend == Backend::cpu && !pci_address.empty()) return "none";
  if (backend == Backend::mps || !index) return platform::name(backend);
  return std::string(platform::name(backend)) + ":" + std::to_string(*index);
}

}  // namespace platform
