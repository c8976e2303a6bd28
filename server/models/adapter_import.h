#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "server/models/error.h"
#include "server/models/manifest.h"
#include "server/models/model_store.h"
#include "server/models/observer.h"

// An adapter is no model of its own: it is merged with its base, and the result is what is kept.
namespace server {

// Returns where the base of the adapter at `path` is: what was asked for by name or path, else what
// the adapter names, an installed model or a path. Nothing where `path` holds no adapter; fails
// where the base is not there.
StoreResult<std::optional<std::filesystem::path>> base_of_adapter(const ModelStore& store,
                                                                  const std::filesystem::path& path,
                                                                  const std::string& asked);

// Writes the merged weights into `folder`, and returns them as a file of the store, and the paths
// of the base's files that belong beside them.
struct MergedAdapter {
  InstalledFile weights;
  std::vector<std::filesystem::path> beside;
};
StoreResult<MergedAdapter> merge_adapter(const std::filesystem::path& adapter,
                                         const std::filesystem::path& base,
                                         const std::filesystem::path& folder,
                                         const Observer& observer);

}  // namespace server
