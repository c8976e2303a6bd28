#include "server/models/inspection.h"

#include "engine/model_families/inspect.h"
#include "engine/speakers/speaker_files.h"
#include "engine/vad/silero_weights.h"
#include "server/models/helper_models.h"

namespace server {

namespace fs = std::filesystem;

namespace {

StoreResult<engine::Inspection> inspect_speech_detection(const fs::path& folder) {
  const auto weights = engine::load_silero(folder / vad_weights_file);
  if (!weights) return invalid_model(weights.error());
  return engine::Inspection{.format = "onnx", .has_vocabulary = true};  // it needs none
}

StoreResult<engine::Inspection> inspect_speakers(const fs::path& folder) {
  const auto whole = engine::inspect_speaker_files(folder);
  if (!whole) return invalid_model(whole.error());
  return engine::Inspection{.format = "pytorch", .has_vocabulary = true};
}

}  // namespace

StoreError invalid_model(const engine::Error& error) {
  return {StoreErrc::invalid_model, error.message, error.fix};
}

StoreResult<engine::Inspection> inspect(const fs::path& file_or_folder, ModelUse use) {
  if (use == ModelUse::speech_detection) return inspect_speech_detection(file_or_folder);
  if (use == ModelUse::speaker_recognition) return inspect_speakers(file_or_folder);
  auto model = engine::inspect(file_or_folder);
  if (!model) return invalid_model(model.error());
  return *std::move(model);
}

StoreResult<std::vector<fs::path>> model_files(const fs::path& file_or_folder) {
  auto files = engine::model_files(file_or_folder);
  if (!files) return invalid_model(files.error());
  return *std::move(files);
}

StoreResult<engine::Examination> examine(const fs::path& file_or_folder, const fs::path& lent) {
  auto found = engine::examine(file_or_folder, lent);
  if (!found) return invalid_model(found.error());
  return *std::move(found);
}

StoreResult<engine::AdapterFacts> examine_adapter(const fs::path& adapter, const fs::path& base) {
  auto facts = engine::examine_adapter(adapter, base);
  if (!facts) return invalid_model(facts.error());
  return *std::move(facts);
}

StoreResult<VocabularyLender> vocabulary_lender(const ModelStore& store, bool multilingual) {
  for (const auto& model : store.list().models) {
    auto files = engine::vocabulary_files(model.folder, multilingual);
    if (!files.empty()) return VocabularyLender{model.manifest.name, model.folder, files};
  }
  return StoreError{StoreErrc::missing_vocabulary,
                    std::string("there is no ") + (multilingual ? "multilingual" : "English") +
                        " vocabulary with this model, and no installed model has one",
                    std::string("Put its tokenizer.json next to the model, or install a model of "
                                "the same family first: scribed models pull ") +
                        (multilingual ? "base" : "tiny.en")};
}

}  // namespace server
