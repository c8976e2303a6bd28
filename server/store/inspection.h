#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "server/store/error.h"
#include "server/store/manifest.h"
#include "server/store/model_store.h"

// What can be told of a model's files without running it, by the engine's own readers.
namespace server {

struct Inspection {
  std::string format;
  ModelSummary summary;
  bool has_vocabulary = false;  // it fits the model, wherever it is; or the model needs none
};

// Reads the header and the table of tensors; invalid_model where the engine could not load it.
StoreResult<Inspection> inspect(const std::filesystem::path& file_or_folder);

// The same of vad_model() in `folder`. It has no summary.
StoreResult<Inspection> inspect_vad(const std::filesystem::path& folder);

// The files that make up the model at `file_or_folder`: weights with all shards, configuration and
// vocabulary. Full paths; other files of the folder are no part of it.
StoreResult<std::vector<std::filesystem::path>> model_files(
    const std::filesystem::path& file_or_folder);

// Vocabulary files of an installed model that fit one of `n_vocab` tokens; missing_vocabulary, with
// what to do, where no installed model has them.
StoreResult<std::vector<std::filesystem::path>> borrow_vocabulary(const ModelStore& store,
                                                                  int n_vocab);

}  // namespace server
