#include <stdio.h>
#include <unistd.h>

#include <cerrno>

#include "server/base/file_calls.h"

namespace server {
namespace {

int rename_with(unsigned int flag, int folder, const char* from, const char* to) {
  const int done = ::renameatx_np(folder, from, folder, to, flag);
  if (done != 0 && errno == ENOTSUP) errno = ENOSYS;
  return done;
}

}  // namespace

int rename_to_free(int folder, const char* from, const char* to) {
  return rename_with(RENAME_EXCL, folder, from, to);
}

int swap_names(int folder, const char* one, const char* other) {
  return rename_with(RENAME_SWAP, folder, one, other);
}

int sync_data(int fd) {
  return ::fsync(fd);
}

}  // namespace server
