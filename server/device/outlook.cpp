#include "server/device/outlook.h"

#include <fmt/format.h>

#include <utility>

namespace server {
namespace {

using platform::Backend;

// The reason for a GPU names it; that for the CPU does not.
std::string named(const platform::Verdict& verdict) {
  const bool adds_name = verdict.backend == Backend::cpu && !verdict.device_name.empty();
  return verdict.device() + (adds_name ? fmt::format(" ({})", verdict.device_name) : "");
}

// The CPU has a verdict also where no runtime pack is installed at all.
bool has_worker(const platform::Choice& choice) {
  return !choice.verdict.pack.worker.empty();
}

// A GPU that was asked for by name must be the one that is used.
bool is_wanted(const platform::Choice& choice, const platform::DeviceRequest& wanted) {
  if (!wanted.backend) return true;
  if (choice.verdict.backend != *wanted.backend) return false;
  return !wanted.index || choice.verdict.index == wanted.index;
}

}  // namespace

std::string Outlook::headline() const {
  if (cause) return fmt::format("{} ({})", cause->headline, cause->code);
  if (!has_worker(*choice)) return "No runtime pack is installed: scribed-worker is missing";
  return fmt::format("scribed uses {}: {}", named(choice->verdict), choice->reason);
}

std::string Outlook::consequence() const {
  if (!cause) return "";
  if (!choice) return "A GPU is required, so scribed refuses to start.";
  if (!has_worker(*choice)) return "No runtime pack is installed: scribed-worker is missing.";
  return fmt::format("scribed uses {} instead", named(choice->verdict));
}

Outlook look_ahead(const Survey& survey, bool require_gpu) {
  auto choice = platform::choose(survey.verdicts, survey.request, require_gpu);
  Outlook outlook;
  if (!choice) {
    outlook.cause = choice.error().finding;
    return outlook;
  }
  outlook.wanted_works = has_worker(*choice) && is_wanted(*choice, survey.request.device);
  if (choice->fallback) outlook.cause = choice->fallback->finding;
  outlook.choice = *std::move(choice);
  return outlook;
}

}  // namespace server
