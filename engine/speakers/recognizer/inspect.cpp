#include "engine/speakers/recognizer/family.h"
#include "engine/speakers/speaker_files.h"

namespace engine {
namespace {

constexpr std::int64_t parameters = 8'400'000;  // of both networks

}  // namespace

bool SpeakersFamily::claims(const std::filesystem::path& model) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(model / segmentation_file, ignored);
}

Result<Examination> SpeakersFamily::examine(const std::filesystem::path& model,
                                            const std::filesystem::path&) {
  if (const auto whole = inspect_speaker_files(model); !whole) return whole.error();
  return Examination{.model = {.family = std::string(name),
                               .format = "PyTorch",
                               .size = {.parameters = parameters},
                               .multilingual = true,
                               .has_vocabulary = true}};  // it needs none
}

Result<std::vector<std::filesystem::path>> SpeakersFamily::files(
    const std::filesystem::path& model) {
  return std::vector<std::filesystem::path>{model / segmentation_file, model / embedding_file};
}

std::vector<std::filesystem::path> SpeakersFamily::vocabulary_files(const std::filesystem::path&,
                                                                    bool) {
  return {};
}

std::vector<LeftOutFile> SpeakersFamily::left_out(const std::filesystem::path&) {
  return {};
}

int SpeakersFamily::n_languages(const Dims&) {
  return 0;
}

}  // namespace engine
