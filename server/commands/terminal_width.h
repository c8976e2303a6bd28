#pragma once

namespace server {

// Returns the columns of the terminal that stderr is; 80 if they are not known.
int terminal_width();

}  // namespace server
