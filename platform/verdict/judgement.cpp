#include "platform/verdict/judgement.h"

#include <fmt/format.h>

#include <algorithm>

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

// Names a card. AMD's cards are known by their architecture as much as by their name.
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

std::string call_of(const ProbeResult& probe, const std::string& library) {
  if (probe.function.starts_with("dlopen ")) return probe.function;
  const std::string& path = probe.library.empty() ? library : probe.library;
  return (probe.function.empty() ? "loading" : probe.function) +
         (path.empty() ? "" : " of " + path);
}

bool loader_refuses_file(const ProbeResult& probe) {
  if (probe.outcome != ProbeOutcome::library_missing || probe.text.empty()) return false;
  // The same message about another file means a library that this one needs.
  const std::string missing = "cannot open shared object file";
  const std::string whole = probe.library.empty() ? missing : probe.library + ": " + missing;
  return probe.text.find(whole) == std::string::npos;
}

std::string gib(std::int64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1024.0 * 1024 * 1024));
}

}  // namespace platform
