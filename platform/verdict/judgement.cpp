#include "platform/verdict/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "platform/verdict/make_finding.h"

namespace platform {
namespace {

Status status_of(const std::vector<Finding>& findings) {
  const auto worst =
      std::max_element(findings.begin(), findings.end(),
                       [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  if (worst == findings.end()) return Status::ok;
  switch (worst->severity) {
    case Severity::note:
      return Status::ok_with_notes;
    case Severity::degraded:
      return Status::degraded;
    case Severity::unknown:
      return Status::unknown;
    case Severity::blocked:
      break;
  }
  return Status::blocked;
}

// AMD's cards are known by their architecture as much as by their name.
std::string card_in_words(const Verdict& verdict) {
  if (verdict.backend != Backend::rocm || verdict.architecture.empty()) return verdict.device_name;
  return verdict.device_name + " (" + verdict.architecture + ")";
}

}  // namespace

void Judgement::add(const char* code, Severity severity, Evidence evidence, std::string value) {
  const FindingValues values{.card = card_in_words(verdict),
                             .found = std::move(evidence.found),
                             .needed = std::move(evidence.needed),
                             .pack = pack_in_words(verdict.pack.name),
                             .model = request.model ? "the model " + request.model->name : "",
                             .value = std::move(value)};
  verdict.findings.push_back(
      make_finding(matrix, code, severity, values, std::move(evidence.read_from)));
}

bool Judgement::blocked() const {
  return status_of(verdict.findings) == Status::blocked;
}

Verdict Judgement::conclude() && {
  verdict.status = status_of(verdict.findings);
  return std::move(verdict);
}

const std::string* find_variable(const Facts& facts, std::string_view name) {
  for (const auto& variable : facts.environment) {
    if (variable.name == name) return &variable.value;
  }
  return nullptr;
}

std::string normal_pci_address(std::string_view address) {
  const auto domain = address.find(':');
  if (domain != std::string_view::npos && domain > 4) address.remove_prefix(domain - 4);
  std::string normal;
  for (const char c : address) {
    normal += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return normal;
}

std::string gib(std::int64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1024.0 * 1024 * 1024));
}

}  // namespace platform
