#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/recognizer/inspection.h"
#include "server/models/error.h"
#include "server/models/model_store.h"

namespace server {

struct ImportOptions {
  std::string name{};    // empty: made from the name of the file or folder
  bool replace = false;  // replaces an installed model of that name
  std::string base{};    // the name or path of an adapter's base; empty: the one that it names
};

// An import as it will be done, made from headers alone: import_model() does it, and
// `scribed models check` shows it. Fields are in the order in which they are found; those behind a
// refusal are empty.
struct ImportPlan {
  std::filesystem::path path{};
  std::optional<std::filesystem::path> base{};    // set for an adapter: the model that it changes
  std::vector<std::filesystem::path> files{};     // to copy: of the model, or beside merged weights
  std::optional<engine::Inspection> model{};      // of the path, or of the adapter's base
  std::optional<engine::AdapterFacts> adapter{};  // set for an adapter
  std::string vocabulary_of{};  // the installed model whose vocabulary is copied; empty: its own
  std::string name{};           // in the store
  // Why the import fails. nullopt: it works, unless the disk fails.
  std::optional<StoreError> refusal{};
};

// Reads what is at `path`. Nothing is written.
ImportPlan plan_import(const ModelStore& store, const std::filesystem::path& path,
                       const ImportOptions& options);

// Fails with already_installed if the store has a folder of this name.
StoreResult<void> require_free_name(const std::filesystem::path& store_root,
                                    const std::string& name);

// Returns "base" for ".../base.pt", "ggml-base.bin", "faster-whisper-base/"; what is no known model
// keeps its own name.
std::string suggested_name(const std::filesystem::path& path);

}  // namespace server
