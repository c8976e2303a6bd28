#include "engine/worker/thread_priority.h"

#include <sys/resource.h>

namespace engine {

void lower_thread_priority() {
#ifdef __linux__
  // On Linux this is the niceness of the calling thread alone, and 19 is the lowest priority. Four
  // threads that listen, and their four decoders, would at a niceness of 10 still have a third of
  // what two computing threads share.
  constexpr int niceness = 19;
  ::setpriority(PRIO_PROCESS, 0, niceness);
#endif
}

}  // namespace engine
