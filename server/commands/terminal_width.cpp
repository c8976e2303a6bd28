#include "server/commands/terminal_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace server {

int terminal_width(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace server
