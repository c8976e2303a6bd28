#pragma once

#include <filesystem>
#include <vector>

#include "engine/recognizer/inspection.h"
#include "server/models/error.h"
#include "server/models/model_store.h"
#include "server/models/registry.h"

// These functions read a model's files with the engine's readers, without running it.
namespace server {

// Reads the header and the table of tensors; invalid_model where the engine could not load it. A
// model that does not transcribe has a format and nothing else.
StoreResult<engine::Inspection> inspect(const std::filesystem::path& file_or_folder,
                                        ModelUse use = ModelUse::transcription);

// Returns the files that make up the model at `file_or_folder`: weights with all shards,
// configuration and vocabulary. Paths are full; other files of the folder are left out.
StoreResult<std::vector<std::filesystem::path>> model_files(
    const std::filesystem::path& file_or_folder);

// Vocabulary files of an installed model, for one of many languages or of English;
// missing_vocabulary, with what to do, where no installed model has them.
StoreResult<std::vector<std::filesystem::path>> borrow_vocabulary(const ModelStore& store,
                                                                  bool multilingual);

}  // namespace server
