#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/recognizer/inspection.h"

// The families of models say here what files hold, without libtorch.
namespace engine {

// Reads the header and the table of tensors of a model's file or folder; fails where it could not
// be loaded.
Result<Inspection> inspect(const std::filesystem::path& model);

// Does the same, and returns the facts of a model that is whole with the reason why scribed does
// not run it, if there is one: inspect() fails with that.
//   lent  the folder of a vocabulary for a model that has none; empty: none is lent
Result<Examination> examine(const std::filesystem::path& model,
                            const std::filesystem::path& lent = {});

// Returns the full paths of the files that make up the model: weights with all shards,
// configuration and vocabulary. Other files of the folder are no part of it.
Result<std::vector<std::filesystem::path>> model_files(const std::filesystem::path& model);

// Returns the model that the adapter at `model` changes, as the adapter names it, which may be
// empty; nothing where no adapter is there.
std::optional<std::string> base_of_adapter(const std::filesystem::path& model);

// Checks that the adapter fits its base: merge_adapter() fails in the same way.
Result<AdapterFacts> examine_adapter(const std::filesystem::path& adapter,
                                     const std::filesystem::path& base);

// Writes the model `base` with the adapter added to it as the file `out`, in safetensors. Returns
// the base's files that belong beside it: configuration and vocabulary.
Result<std::vector<std::filesystem::path>> merge_adapter(const std::filesystem::path& adapter,
                                                         const std::filesystem::path& base,
                                                         const std::filesystem::path& out);

// Returns the files of a model's folder that model_files() does not name, each with the reason; at
// most 100. A file has none beside it that would be left out.
std::vector<LeftOutFile> files_left_out(const std::filesystem::path& model);

// Returns the files in `folder` that are a vocabulary for models of many languages, or of English;
// empty where there is none.
std::vector<std::filesystem::path> vocabulary_files(const std::filesystem::path& folder,
                                                    bool multilingual);

// Returns how many languages a model of these dimensions knows.
int n_languages(const Dims& dims);

}  // namespace engine
