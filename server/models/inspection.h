#pragma once

#include <filesystem>
#include <string>
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

// Does the same for a model that transcribes, and returns the facts of one that is whole with the
// reason why the engine does not run it, if there is one.
//   lent  the folder of a vocabulary for a model that has none; empty: none is lent
StoreResult<engine::Examination> examine(const std::filesystem::path& file_or_folder,
                                         const std::filesystem::path& lent = {});

// Checks that the adapter can be merged with its base.
StoreResult<engine::AdapterFacts> examine_adapter(const std::filesystem::path& adapter,
                                                  const std::filesystem::path& base);

// An installed model whose vocabulary fits another model.
struct VocabularyLender {
  std::string name;
  std::filesystem::path folder;
  std::vector<std::filesystem::path> files;
};

// Finds a vocabulary for many languages or for English; missing_vocabulary, with what to do, where
// no installed model has one.
StoreResult<VocabularyLender> vocabulary_lender(const ModelStore& store, bool multilingual);

// Returns the engine's error as that of a model which cannot be used.
StoreError invalid_model(const engine::Error& error);

}  // namespace server
