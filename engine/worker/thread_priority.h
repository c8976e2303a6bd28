#pragma once

namespace engine {

// Makes the calling thread, and those that it starts, get out of the way of others that want the
// CPU: the device's and those of short recordings. Where there is a CPU to spare it is as fast as
// ever. To be called once; where it cannot be done, nothing changes.
void lower_thread_priority();

}  // namespace engine
