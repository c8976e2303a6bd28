#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "server/models/model_store.h"
#include "server/pulls/model_pulls.h"
#include "server/transcription/model_pool.h"

namespace server {

// A catalogue is made of these and of the registry. The listings are read from the disk.
struct CatalogSources {
  const ModelStore& store;
  const ModelPulls& pulls;
  std::vector<LoadedModel> loaded{};
  std::string default_model{};
};

// Returns all models that can be fetched, and those that somebody has imported, as a client reads
// them.
nlohmann::ordered_json catalog_body(const CatalogSources& sources);

// Returns the codes of the languages that a model knows.
nlohmann::ordered_json language_codes(const InstalledModel& model);

}  // namespace server
