#include "engine/model_families/inspect.h"

#include "engine/model_families/families.h"

namespace engine {

Result<Inspection> inspect(const std::filesystem::path& model) {
  return with_family_of(model, [&](auto family) { return family.inspect(model); });
}

Result<std::vector<std::filesystem::path>> model_files(const std::filesystem::path& model) {
  return with_family_of(model, [&](auto family) { return family.files(model); });
}

std::optional<std::string> base_of_adapter(const std::filesystem::path& model) {
  return WhisperFamily::base_of_adapter(model);
}

Result<std::vector<std::filesystem::path>> merge_adapter(const std::filesystem::path& adapter,
                                                         const std::filesystem::path& base,
                                                         const std::filesystem::path& out) {
  return WhisperFamily::merge_adapter(adapter, base, out);
}

std::vector<std::filesystem::path> vocabulary_files(const std::filesystem::path& folder,
                                                    bool multilingual) {
  return with_family_of(folder,
                        [&](auto family) { return family.vocabulary_files(folder, multilingual); });
}

int n_languages(const Dims& dims) {
  return with_family_of({}, [&](auto family) { return family.n_languages(dims); });
}

}  // namespace engine
