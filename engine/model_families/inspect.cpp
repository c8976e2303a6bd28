#include "engine/model_families/inspect.h"

#include "engine/model_families/families.h"

namespace engine {

Result<Inspection> inspect(const std::filesystem::path& model) {
  auto found = examine(model);
  if (!found) return found.error();
  if (found->refusal) return *found->refusal;
  return std::move(found->model);
}

Result<Examination> examine(const std::filesystem::path& model, const std::filesystem::path& lent) {
  return with_family_of(model, [&](auto family) { return family.examine(model, lent); });
}

Result<std::vector<std::filesystem::path>> model_files(const std::filesystem::path& model) {
  return with_family_of(model, [&](auto family) { return family.files(model); });
}

std::optional<std::string> base_of_adapter(const std::filesystem::path& model) {
  return WhisperFamily::base_of_adapter(model);
}

Result<AdapterFacts> examine_adapter(const std::filesystem::path& adapter,
                                     const std::filesystem::path& base) {
  return WhisperFamily::examine_adapter(adapter, base);
}

std::vector<LeftOutFile> files_left_out(const std::filesystem::path& model) {
  return with_family_of(model, [&](auto family) { return family.left_out(model); });
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
