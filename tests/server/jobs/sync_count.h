#pragma once

namespace server::test {

// How often this process has asked for a sync of a file to the disk: sync_count.cpp takes the place
// of the C library's functions, also for SQLite.
int syncs();

}  // namespace server::test
