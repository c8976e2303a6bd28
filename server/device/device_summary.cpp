#include "server/device/device_summary.h"

#include <fmt/format.h>

#include <utility>

namespace server {
namespace {

using platform::Backend;

// Returns the device for a sentence that also gives the reason: the reason for a GPU names the
// card, that for the CPU does not.
std::string named(const platform::Verdict& verdict) {
  const bool adds_name = verdict.backend == Backend::cpu && !verdict.device_name.empty();
  return verdict.device() + (adds_name ? fmt::format(" ({})", verdict.device_name) : "");
}

}  // namespace

std::optional<platform::Finding> cause(const platform::ChoiceResult& choice) {
  if (!choice) return choice.error().finding;
  if (!choice->fallback) return std::nullopt;
  return choice->fallback->finding;
}

std::string headline(const platform::ChoiceResult& choice) {
  if (const auto why = cause(choice)) return fmt::format("{} ({})", why->headline, why->code);
  return fmt::format("scribed uses {}: {}", named(choice->verdict), choice->reason);
}

std::string consequence(const platform::ChoiceResult& choice) {
  if (!choice) {
    return choice.error().gpu_required
               ? "A GPU is required, so scribed refuses to start."
               : "No device can do what is asked, so scribed refuses to start.";
  }
  if (!choice->fallback) return "";
  return fmt::format("scribed uses {} instead", named(choice->verdict));
}

bool wanted_works(const platform::ChoiceResult& choice, const platform::DeviceRequest& wanted) {
  if (!choice) return false;
  const platform::Verdict& used = choice->verdict;
  const bool has_number = !wanted.index || used.index == wanted.index;
  if (!wanted.backend) return has_number && !(wanted.index && used.backend == Backend::cpu);
  return used.backend == *wanted.backend && has_number;
}

}  // namespace server
