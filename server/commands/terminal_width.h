#pragma once

namespace server {

// Columns of the terminal that stderr is; 80 where it does not say.
int terminal_width();

}  // namespace server
