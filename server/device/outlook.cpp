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

// A GPU that was asked for by name must be the one that is used.
bool is_wanted(const platform::Choice& choice, const platform::DeviceRequest& wanted) {
  const bool on_cpu = choice.verdict.backend == Backend::cpu;
  if (!wanted.backend) return !wanted.index || (!on_cpu && choice.verdict.index == wanted.index);
  if (choice.verdict.backend != *wanted.backend) return false;
  return !wanted.index || choice.verdict.index == wanted.index;
}

}  // namespace

std::string Outlook::headline() const {
  if (cause) return fmt::format("{} ({})", cause->headline, cause->code);
  return fmt::format("scribed uses {}: {}", named(choice->verdict), choice->reason);
}

std::string Outlook::consequence() const {
  if (!cause) return "";
  if (!choice && gpu_required) return "A GPU is required, so scribed refuses to start.";
  if (!choice) return "No device can do what is asked, so scribed refuses to start.";
  return fmt::format("scribed uses {} instead", named(choice->verdict));
}

Outlook look_ahead(const Survey& survey, bool require_gpu) {
  auto choice = platform::choose(survey.verdicts, survey.request, require_gpu);
  Outlook outlook;
  if (!choice) {
    outlook.cause = choice.error().finding;
    outlook.gpu_required = choice.error().gpu_required;
    return outlook;
  }
  outlook.wanted_works = is_wanted(*choice, survey.request.device);
  if (choice->fallback) outlook.cause = choice->fallback->finding;
  outlook.choice = *std::move(choice);
  return outlook;
}

}  // namespace server
