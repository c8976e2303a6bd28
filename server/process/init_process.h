#pragma once

#include <optional>

namespace server {

// Does the duties of process 1 of a container, which it has that the system's own init has
// elsewhere: orphans become its children and have to be waited for, and no signal ends it unless it
// is handled. Forks, and returns nothing in the child, which does the work. The parent stays as its
// init: it passes on the signals that other processes send, waits for whatever ends, and returns
// the exit status of the child (128 and the signal where one ended it). Call it before there are
// threads. Where fork fails, it returns nothing in the only process.
std::optional<int> run_as_init();

}  // namespace server
