#pragma once

#include <filesystem>

#include "server/models/error.h"
#include "server/models/manifest.h"
#include "server/models/observer.h"
#include "server/models/registry.h"

namespace server {

// Hashes `file` and compares; an unknown size or digest is not compared.
StoreResult<InstalledFile> check_file(const std::filesystem::path& file, const KnownFile& expected,
                                      const Observer& observer);

}  // namespace server
