#include "server/device/device_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "platform/probe/probe_cache.h"
#include "platform/verdict/diagnose.h"
#include "platform/verdict/finding_codes.h"
#include "platform/verdict/make_finding.h"
#include "protocol/worker_contract.h"
#include "server/device/sandbox_check.h"

namespace server {
namespace {

bool has_finding(const platform::Verdict& verdict, const platform::Finding& finding) {
  return std::ranges::any_of(verdict.findings, [&](const platform::Finding& f) {
    return f.code == finding.code && f.headline == finding.headline;
  });
}

std::string passed_over_card(const std::vector<platform::Verdict>& verdicts,
                             const platform::Finding& finding) {
  for (const auto& verdict : verdicts) {
    const bool is_gpu = verdict.backend != platform::Backend::cpu;
    if (is_gpu && !verdict.device_name.empty() && has_finding(verdict, finding)) {
      return verdict.device_name;
    }
  }
  return "the GPU";
}

DeviceCandidate candidate(const Survey& survey, platform::Verdict verdict) {
  DeviceCandidate made{std::move(verdict)};
  if (made.verdict.backend != platform::Backend::cpu) {
    const platform::Pack& pack = made.verdict.pack;
    made.smoke_key = platform::smoke_key(
        survey.facts, {.pack_folder = std::filesystem::path(pack.worker).parent_path(),
                       .device = made.verdict.device(),
                       .compute_type = made.verdict.compute_type,
                       .flash_attn = survey.request.flash_attn,
                       .libraries = pack.libraries});
  }
  return made;
}

std::string joined_steps(const platform::Finding& finding) {
  std::vector<std::string> steps = finding.fix;
  if (!finding.link.empty()) steps.push_back("See " + finding.link + " and scribed doctor.");
  return fmt::format("{}", fmt::join(steps, "\n  "));
}

// Returns whether a finding can be about this device: a failure on the CPU can look like one of a
// GPU.
bool may_concern(const platform::Finding& finding, const platform::Verdict& device,
                 const platform::Matrix& matrix) {
  if (device.backend != platform::Backend::cpu) return true;
  const auto* row = matrix.find_finding(finding.code);
  return row != nullptr && (row->vendor == "cpu" || row->code == platform::code::memory_too_small);
}

std::optional<platform::Finding> recognise(const Error& error, std::string_view last_words,
                                           const platform::Verdict& device,
                                           const platform::Matrix& matrix) {
  const std::string text = fmt::format("{}\n{}", error.message, last_words);
  auto known = platform::diagnose(
      text, matrix, {device.backend, device.device_name, device.pack.name, "what the worker said"});
  if (known && !may_concern(*known, device, matrix)) known.reset();
  return known;
}

const char* code_of_failure(const Error& error) {
  if (error.code == errc::worker_died) return platform::code::worker_fault;
  return error.code == protocol::worker::smoke_run_failed ? platform::code::smoke_run_failed
                                                          : platform::code::worker_failed;
}

Error refusal_error(const platform::Refusal& refusal) {
  const std::string& code = refusal.finding.code;
  if (refusal.gpu_required) return blocked_error(refusal.finding);
  if (code == platform::code::precision_not_supported) {
    return blocked_error(refusal.finding, errc::usage);
  }
  const bool memory = code == platform::code::memory_too_small;
  return blocked_error(refusal.finding, memory ? errc::out_of_memory : errc::device_blocked);
}

}  // namespace

std::string warning_of(const PassedOver& card) {
  std::string_view reason = card.fallback.finding.headline;
  for (const char* link : {": ", " found, but "}) {
    const std::string start = card.card + link;
    if (reason.starts_with(start)) reason.remove_prefix(start.size());
  }
  return fmt::format("{} is not used: {}", card.card, reason);
}

Result<DevicePlan> plan_devices(const Survey& survey) {
  auto choice = platform::choose(survey.verdicts, survey.request);
  if (!choice) return refusal_error(choice.error());
  DevicePlan plan{.reason = std::move(choice->reason),
                  .wanted = platform::to_string(survey.request.device),
                  .matrix = survey.matrix.matrix};
  plan.candidates.push_back(candidate(survey, std::move(choice->verdict)));
  for (auto& verdict : choice->next) {
    plan.candidates.push_back(candidate(survey, std::move(verdict)));
  }
  if (choice->fallback) {
    std::string card = passed_over_card(survey.verdicts, choice->fallback->finding);
    plan.passed_over = {std::move(card), *std::move(choice->fallback)};
  }
  return plan;
}

Error blocked_error(const platform::Finding& finding, const char* code) {
  return {code, fmt::format("{} ({})", finding.headline, finding.code), joined_steps(finding)};
}

Error explained_error(Error error, std::string_view last_words, const platform::Verdict& device,
                      const platform::Matrix& matrix) {
  if (const auto finding = recognise(error, last_words, device, matrix)) {
    error.message += fmt::format(": {} ({})", finding->headline, finding->code);
    error.fix = joined_steps(*finding);
  }
  return error;
}

platform::Finding explain_failure(const Error& error, std::string_view last_words,
                                  const platform::Verdict& device, const platform::Matrix& matrix) {
  auto known = recognise(error, last_words, device, matrix);
  if (known) return *std::move(known);
  auto finding = platform::make_finding(matrix, code_of_failure(error), platform::Severity::blocked,
                                        {.card = device.device_name,
                                         .found = error.message,
                                         .pack = device.pack.name,
                                         .value = error.message},
                                        device.pack.worker);
  if (!error.fix.empty()) finding.fix.push_back(error.fix);
  return finding;
}

bool is_about_the_device(const Error& error) {
  if (error.code == errc::sandbox_missing) return false;
  switch (exit_code(error.code)) {
    case ExitCode::worker:
    case ExitCode::exhausted:
    case ExitCode::internal:
      return true;
    default:
      return false;
  }
}

}  // namespace server
