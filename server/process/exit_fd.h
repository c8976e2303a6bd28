#pragma once

#include <sys/types.h>

namespace server {

// Opens a descriptor that is readable, and stays so, once a child of this process has ended, which
// nobody has waited for. -1: errno says why there is none.
int open_exit_fd(pid_t child);

}  // namespace server
