#include "platform/facts/native_facts.h"

namespace platform {

const char* name(ProbeOutcome outcome) {
  switch (outcome) {
    case ProbeOutcome::not_run:
      return "not_run";
    case ProbeOutcome::answered:
      return "answered";
    case ProbeOutcome::library_missing:
      return "library_missing";
    case ProbeOutcome::failed:
      return "failed";
    case ProbeOutcome::hung:
      return "hung";
    case ProbeOutcome::crashed:
      return "crashed";
    case ProbeOutcome::not_started:
      return "not_started";
  }
  return "crashed";
}

}  // namespace platform
