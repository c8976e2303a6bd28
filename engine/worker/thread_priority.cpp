#include "engine/worker/thread_priority.h"

#include <algorithm>

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace engine {

void lower_thread_priority(protocol::WorkClass work_class) {
#ifdef __linux__
  // On Linux this is the niceness of the calling thread alone. Decoders have the same: at 19 a
  // recording stands still beside a compiler, as neither is done without the other.
  constexpr int usual = 5, background = 19;
  const int niceness = work_class == protocol::WorkClass::background ? background : usual;
  ::setpriority(PRIO_PROCESS, 0, std::max(niceness, ::getpriority(PRIO_PROCESS, 0)));
#else
  static_cast<void>(work_class);
#endif
}

}  // namespace engine
