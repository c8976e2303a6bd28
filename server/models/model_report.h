#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/recognizer/inspection.h"
#include "server/models/error.h"
#include "server/models/import_plan.h"
#include "server/models/model_store.h"

namespace server {

// The memory that must be free for a worker that transcribes one recording with five beams: the
// estimate by which a device is chosen.
struct MemoryOfType {
  std::string device;  // "cpu", "gpu"
  std::string compute_type;
  std::int64_t bytes = 0;
};

// A model's file or folder as `scribed models check` describes it: what it is, and what an import
// does with it.
struct ModelReport {
  ImportPlan plan{};
  // The bytes that an import writes; for an adapter an estimate, the size of its base. Of what
  // cannot be read, the size of the file.
  std::uint64_t bytes = 0;
  std::vector<engine::LeftOutFile> left_out{};
  std::vector<MemoryOfType> memory{};  // empty if the sizes of the model are not known
};

// Reads the headers of what is at `path`. Nothing is written.
ModelReport check_model(const ModelStore& store, const std::filesystem::path& path,
                        const ImportOptions& options);

// Does the same for an installed model; fails as ModelStore::find_whole() does.
StoreResult<ModelReport> check_installed(const ModelStore& store, std::string_view name_or_alias);

// Returns the report as clients read it, without the model's path.
nlohmann::ordered_json report_json(const ModelReport& report);

}  // namespace server
