#include "platform/verdict/finding.h"

namespace platform {

const char* name(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::degraded:
      return "degraded";
    case Severity::unknown:
      return "unknown";
    case Severity::blocked:
      return "blocked";
  }
  return "unknown";
}

}  // namespace platform
