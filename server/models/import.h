#pragma once

#include <filesystem>

#include "server/models/error.h"
#include "server/models/import_plan.h"
#include "server/models/model_store.h"
#include "server/models/observer.h"

namespace server {

// Copies a model that lies elsewhere, in any format the engine reads, into the store. Weights
// without a vocabulary get that of an installed model of the same family; an adapter is merged with
// its base. What plan_import() refuses fails in the same words, before anything is written.
StoreResult<Manifest> import_model(const ModelStore& store, const std::filesystem::path& path,
                                   const ImportOptions& options, const Observer& observer);

}  // namespace server
