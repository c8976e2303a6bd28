#pragma once

#include <filesystem>
#include <string>

#include "server/models/error.h"
#include "server/models/model_store.h"
#include "server/models/observer.h"

namespace server {

struct ImportOptions {
  std::string name{};    // empty: made from the name of the file or folder
  bool replace = false;  // replaces an installed model of that name
  std::string base{};    // the name or path of an adapter's base; empty: the one that it names
};

// Copies a model that lies elsewhere, in any format the engine reads, into the store. Weights
// without a vocabulary get that of an installed model of the same family; an adapter is merged with
// its base.
StoreResult<Manifest> import_model(const ModelStore& store, const std::filesystem::path& path,
                                   const ImportOptions& options, const Observer& observer);

// Returns "base" for ".../base.pt", "ggml-base.bin", "faster-whisper-base/"; what is no known model
// keeps its own name.
std::string suggested_name(const std::filesystem::path& path);

}  // namespace server
