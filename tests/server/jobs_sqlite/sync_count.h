#pragma once

namespace server::test {

// Returns how often this process has asked for a sync of a file to the disk: sync_count.cpp
// replaces the C library's functions, also for SQLite.
int syncs();

}  // namespace server::test
