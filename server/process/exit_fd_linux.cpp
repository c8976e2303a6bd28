#include <sys/syscall.h>
#include <unistd.h>

#include "server/process/exit_fd.h"

namespace server {

int open_exit_fd(pid_t child) {
  // The system call is made directly because the header of glibc 2.36 declares pidfd_open as a C++
  // function.
  return static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
}

}  // namespace server
