#include <fmt/format.h>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/pack_checks.h"

namespace platform {

bool pack_does_not_load(Judgement& judgement) {
  const PackLibraries& pack = judgement.verdict.pack.libraries;
  const std::string call =
      pack.probe.function.empty() ? "loading the pack's libraries" : pack.probe.function;
  const std::string where = pack.probe.library.empty() ? call : call + " of " + pack.probe.library;
  if (pack.probe.outcome == ProbeOutcome::hung) {
    judgement.add(code::probe_hung, Severity::blocked,
                  {"no answer from " + where, "an answer", where}, where);
    return true;
  }
  if (pack.probe.outcome == ProbeOutcome::crashed) {
    const std::string found = pack.probe.signal
                                  ? fmt::format("signal {} in {}", pack.probe.signal, where)
                                  : "no answer from " + where;
    judgement.add(code::probe_crashed, Severity::blocked, {found, "an answer", where}, where);
    return true;
  }
  return false;
}

}  // namespace platform
