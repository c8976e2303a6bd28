#pragma once

#include "server/models/download.h"
#include "server/models/error.h"
#include "server/models/manifest.h"
#include "server/models/observer.h"
#include "server/models/registry.h"

namespace server {

// Fetches one file and checks it. A resumed file that fails the check is fetched once more from the
// start, because the part may be wrong. A file that is complete is only checked.
StoreResult<InstalledFile> fetch_file(const Download& wanted, const KnownFile& expected,
                                      const Observer& observer);

// Returns how many bytes are still to come, as far as that is known.
std::uint64_t missing_bytes(const Download& wanted);

}  // namespace server
