#pragma once

#include "protocol/work_class.h"

namespace engine {

// Makes the calling thread, and those that it starts, give way to others that want the CPU: the
// device's and those of short recordings. It still has about a quarter of a core beside a busy
// thread, as a transcription waits for it; background work, for which nobody waits, has next to
// nothing. Where there is a CPU to spare it is as fast as ever. To be called once; where it cannot
// be done, nothing changes.
void lower_thread_priority(protocol::WorkClass work_class);

}  // namespace engine
