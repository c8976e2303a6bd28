#include "server/store/inspection.h"

#include <algorithm>
#include <array>

#include "engine/vad/silero_weights.h"
#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/text/vocabulary.h"
#include "engine/whisper/weights/detect.h"
#include "engine/whisper/weights/weights.h"
#include "server/store/vad_model.h"

namespace server {

namespace fs = std::filesystem;

namespace {

constexpr std::array configuration_files{"config.json", "generation_config.json"};
constexpr std::array vocabulary_files{"tokenizer.json", "vocabulary.txt",        "vocabulary.json",
                                      "vocab.json",     "multilingual.tiktoken", "gpt2.tiktoken"};

StoreError invalid(const engine::Error& error) {
  return {StoreErrc::invalid_model, error.message, error.fix};
}

// In the weights' own file. Those that whisper.cpp's converter wrote for English models hold U+FFFD
// instead of single bytes and cannot be used.
bool carries_vocabulary(const engine::Weights& weights) {
  return weights.token_bytes() &&
         engine::Tokenizer::from_tokens(*weights.token_bytes(), weights.dims().n_vocab);
}

bool vocabulary_beside(const engine::Weights& weights, const fs::path& folder) {
  return engine::Tokenizer::load(folder, weights.dims().n_vocab).has_value();
}

std::vector<fs::path> existing(const fs::path& folder, std::span<const char* const> names) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const char* name : names) {
    if (fs::is_regular_file(folder / name, ignored)) found.push_back(folder / name);
  }
  return found;
}

// Only what reads as one: a link of this name may lead to any file, and what is installed is copied
// for everybody to read.
std::vector<fs::path> vocabularies(const fs::path& folder) {
  auto files = existing(folder, vocabulary_files);
  std::erase_if(files, [](const fs::path& file) { return !engine::read_vocabulary(file, true); });
  return files;
}

}  // namespace

StoreResult<Inspection> inspect(const fs::path& file_or_folder) {
  const auto weights = engine::read_weights(file_or_folder);
  if (!weights) return invalid(weights.error());
  const engine::ModelDims& dims = weights->dims();
  const auto specials = engine::special_tokens(dims.n_vocab);
  if (!specials) return invalid(specials.error());
  std::error_code ignored;
  const fs::path folder =
      fs::is_directory(file_or_folder, ignored) ? file_or_folder : file_or_folder.parent_path();
  return Inspection{std::string(engine::name(weights->format())),
                    {dims.n_mels, dims.n_vocab, dims.n_audio_layer, dims.n_audio_state,
                     dims.n_text_layer, dims.n_text_state},
                    carries_vocabulary(*weights) || vocabulary_beside(*weights, folder)};
}

StoreResult<Inspection> inspect_vad(const fs::path& folder) {
  const auto weights = engine::load_silero(folder / vad_weights_file);
  if (!weights) return invalid(weights.error());
  return Inspection{.format = "onnx", .summary = {}, .has_vocabulary = true};
}

StoreResult<std::vector<fs::path>> model_files(const fs::path& file_or_folder) {
  try {
    const bool is_folder = fs::is_directory(file_or_folder);
    const fs::path main = is_folder ? engine::model_file_in(file_or_folder) : file_or_folder;
    std::vector<fs::path> files;
    const auto add = [&files](std::vector<fs::path> more) {
      files.insert(files.end(), more.begin(), more.end());
    };
    const auto weights = engine::read_weights(main);
    if (!weights) return invalid(weights.error());
    for (const auto& file : weights->files()) files.push_back(file.path());  // an index, its shards
    const auto format = weights->format();
    const bool configured =
        format == engine::WeightFormat::ctranslate2 || format == engine::WeightFormat::safetensors;
    if (configured) add(existing(main.parent_path(), configuration_files));
    if (!carries_vocabulary(*weights) && vocabulary_beside(*weights, main.parent_path())) {
      add(vocabularies(main.parent_path()));
    }
    return files;
  } catch (const engine::Exception& error) {
    return invalid(error.error);
  } catch (const fs::filesystem_error& error) {
    return system_error("cannot read " + file_or_folder.string(), error.code().value());
  }
}

StoreResult<std::vector<fs::path>> borrow_vocabulary(const ModelStore& store, int n_vocab) {
  for (const auto& model : store.list().models) {
    auto files = vocabularies(model.folder);
    if (!files.empty() && engine::Tokenizer::load(model.folder, n_vocab)) return files;
  }
  const bool english = n_vocab == 51864;
  return StoreError{StoreErrc::missing_vocabulary,
                    std::string("there is no ") + (english ? "English" : "multilingual") +
                        " vocabulary with this model, and no installed model has one",
                    std::string("Put its tokenizer.json beside the model, or install a model of "
                                "the same family first: scribed models pull ") +
                        (english ? "tiny.en" : "base")};
}

}  // namespace server
