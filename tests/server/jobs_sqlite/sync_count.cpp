#include "tests/server/jobs_sqlite/sync_count.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace {

std::atomic<int> count = 0;

}  // namespace

extern "C" int fsync(int fd) {
  ++count;
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

extern "C" int fdatasync(int fd) {
  ++count;
  return static_cast<int>(::syscall(SYS_fdatasync, fd));
}

namespace server::test {

int syncs() {
  return count;
}

}  // namespace server::test
