#pragma once

namespace server {

// Returns the columns of the terminal that a descriptor leads to; 80 if they are not known.
int terminal_width(int fd);

}  // namespace server
