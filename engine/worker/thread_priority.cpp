#include "engine/worker/thread_priority.h"

#include <sys/resource.h>

namespace engine {

void lower_thread_priority() {
#ifdef __linux__
  // Of this thread alone, unlike elsewhere. A tenth of the weight of those that compute.
  constexpr int niceness = 10;
  ::setpriority(PRIO_PROCESS, 0, niceness);
#endif
}

}  // namespace engine
