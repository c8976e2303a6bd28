#include "server/models/adapter_import.h"

#include "engine/model_families/inspect.h"
#include "server/models/check_file.h"
#include "server/models/staging.h"

namespace server {

namespace fs = std::filesystem;

namespace {

constexpr const char* weights_name = "model.safetensors";

StoreError no_base(const std::string& base, const StoreError& why) {
  if (base.empty()) {
    return {StoreErrc::unknown_model, "the adapter does not name the model that it changes",
            "Name it by its path or as an installed model: --base MODEL"};
  }
  return {why.code, "the adapter changes the model " + base + ", which is not here: " + why.message,
          why.fix + ". Or name the base by its path: --base PATH"};
}

}  // namespace

StoreResult<std::optional<fs::path>> base_of_adapter(const ModelStore& store, const fs::path& path,
                                                     const std::string& asked) {
  const auto named = engine::base_of_adapter(path);
  if (!named) return std::optional<fs::path>();
  const std::string base = asked.empty() ? *named : asked;
  const auto found = store.resolve(base);
  if (!found) return no_base(base, found.error());
  return std::optional(found->path);
}

StoreResult<MergedAdapter> merge_adapter(const fs::path& adapter, const fs::path& base,
                                         const fs::path& folder, const Observer& observer) {
  std::error_code error;
  std::uint64_t bytes = 0;
  const auto files = engine::model_files(base);
  if (!files) return StoreError{StoreErrc::invalid_model, files.error().message, files.error().fix};
  for (const fs::path& file : *files) bytes += fs::file_size(file, error);
  if (auto room = require_space(folder, bytes); !room) return room.error();
  auto beside = engine::merge_adapter(adapter, base, folder / weights_name);
  if (!beside) {
    return StoreError{StoreErrc::invalid_model, beside.error().message, beside.error().fix};
  }
  auto weights = check_file(folder / weights_name, KnownFile{.name = weights_name}, observer);
  if (!weights) return weights.error();
  observer.note("The adapter was merged with " + base.string() + ".");
  return MergedAdapter{std::move(*weights), std::move(*beside)};
}

}  // namespace server
