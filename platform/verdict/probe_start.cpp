#include "platform/verdict/probe_start.h"

#include "platform/verdict/finding_codes.h"

namespace platform {

bool probe_did_not_start(Judgement& judgement, const ProbeResult& probe, Severity severity) {
  if (probe.outcome != ProbeOutcome::not_started) return false;
  judgement.add(code::probe_not_started, severity,
                {probe.text, "a process of `scribed probe`", "posix_spawn"}, probe.text);
  return true;
}

}  // namespace platform
