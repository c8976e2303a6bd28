#include <fmt/format.h>

#include "platform/verdict/diagnose.h"
#include "platform/verdict/finding_codes.h"
#include "platform/verdict/pack_checks.h"
#include "platform/verdict/probe_start.h"

namespace platform {
namespace {

std::string place_of(const ProbeResult& probe) {
  return probe.function.empty() ? "loading the pack's libraries" : call_of(probe, "");
}

bool hangs(Judgement& judgement, const ProbeResult& probe) {
  if (probe.outcome != ProbeOutcome::hung) return false;
  const std::string place = place_of(probe);
  judgement.add(code::probe_hung, Severity::blocked,
                {"no answer from " + place, "an answer", place}, place);
  return true;
}

// cuDNN ends a process in which its parts do not fit together, after printing why.
bool crashes(Judgement& judgement, const ProbeResult& probe) {
  if (probe.outcome != ProbeOutcome::crashed) return false;
  const Verdict& verdict = judgement.verdict;
  const auto known =
      diagnose(probe.text, judgement.matrix,
               {.backend = verdict.backend,
                .card = verdict.device_name,
                .pack = verdict.pack.name,
                .read_from = "the last words of the child that loaded the pack's libraries"});
  if (known) {
    judgement.verdict.findings.push_back(*known);
    return true;
  }
  const std::string place = place_of(probe);
  const std::string found = probe.signal ? fmt::format("signal {} in {}", probe.signal, place)
                                         : "no answer from " + place;
  judgement.add(code::probe_crashed, Severity::blocked, {found, "an answer", place}, place);
  return true;
}

bool lacks_library(Judgement& judgement) {
  for (const auto& library : judgement.verdict.pack.libraries.libraries) {
    if (!library.path.empty() || library.soname.starts_with("libcudnn")) continue;
    judgement.add(code::pack_library_missing, Severity::blocked,
                  {"no " + library.soname, library.soname,
                   library.error.empty() ? "the loader" : library.error},
                  library.soname);
    return true;
  }
  return false;
}

}  // namespace

bool pack_does_not_load(Judgement& judgement) {
  const ProbeResult& probe = judgement.verdict.pack.libraries.probe;
  // The result is ignored: the description of the build still counts.
  probe_did_not_start(judgement, probe, Severity::unknown);
  return hangs(judgement, probe) || crashes(judgement, probe) || lacks_library(judgement);
}

}  // namespace platform
