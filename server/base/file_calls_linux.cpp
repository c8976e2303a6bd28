#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "server/base/file_calls.h"

namespace server {

int rename_to_free(int folder, const char* from, const char* to) {
  return ::renameat2(folder, from, folder, to, RENAME_NOREPLACE);
}

int swap_names(int folder, const char* one, const char* other) {
  return ::renameat2(folder, one, folder, other, RENAME_EXCHANGE);
}

int sync_data(int fd) {
  return ::fdatasync(fd);
}

}  // namespace server
