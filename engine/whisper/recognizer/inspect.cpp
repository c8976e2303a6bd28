#include <algorithm>
#include <array>
#include <span>

#include "engine/whisper/constants.h"
#include "engine/whisper/model/size_of.h"
#include "engine/whisper/recognizer/family.h"
#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/text/vocabulary.h"
#include "engine/whisper/weights/adapter.h"
#include "engine/whisper/weights/folder.h"
#include "engine/whisper/weights/weights.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr std::array configuration_names{"config.json", "generation_config.json"};
constexpr std::array vocabulary_names{"tokenizer.json", "vocabulary.txt",        "vocabulary.json",
                                      "vocab.json",     "multilingual.tiktoken", "gpt2.tiktoken"};

// Finds the vocabulary in the weights' own file. Those that whisper.cpp's converter wrote for
// English models hold U+FFFD instead of single bytes and cannot be used.
bool carries_vocabulary(const Weights& weights) {
  return weights.token_bytes() &&
         Tokenizer::from_tokens(*weights.token_bytes(), weights.dims().n_vocab);
}

bool vocabulary_beside(const Weights& weights, const fs::path& folder) {
  return Tokenizer::load(folder, weights.dims().n_vocab).has_value();
}

std::vector<fs::path> existing(const fs::path& folder, std::span<const char* const> names) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const char* name : names) {
    if (fs::is_regular_file(folder / name, ignored)) found.push_back(folder / name);
  }
  return found;
}

// A file counts only if it reads as a vocabulary: a link of this name may lead to any file, and
// what is installed is copied for everybody to read.
std::vector<fs::path> vocabularies(const fs::path& folder) {
  auto files = existing(folder, vocabulary_names);
  std::erase_if(files, [](const fs::path& file) { return !read_vocabulary(file, true); });
  return files;
}

std::vector<fs::path> files_of(const Weights& weights, const fs::path& folder) {
  std::vector<fs::path> files;
  const auto add = [&files](const std::vector<fs::path>& more) {
    files.insert(files.end(), more.begin(), more.end());
  };
  for (const auto& file : weights.files()) files.push_back(file.path());  // an index, its shards
  if (weights.has_config()) add(existing(folder, configuration_names));
  if (!carries_vocabulary(weights) && vocabulary_beside(weights, folder)) {
    add(vocabularies(folder));
  }
  return files;
}

}  // namespace

Result<Inspection> WhisperFamily::inspect(const fs::path& model) {
  const auto weights = read_weights(model);
  if (!weights) return weights.error();
  const ModelDims& dims = weights->dims();
  const auto specials = special_tokens(dims.n_vocab);
  if (!specials) return specials.error();
  std::error_code ignored;
  const fs::path folder = fs::is_directory(model, ignored) ? model : model.parent_path();
  return Inspection{
      .family = std::string(name),
      .format = std::string(engine::name(weights->format())),
      .dims = {{"n_mels", dims.n_mels},
               {"n_vocab", dims.n_vocab},
               {"n_audio_layer", dims.n_audio_layer},
               {"n_audio_state", dims.n_audio_state},
               {"n_text_layer", dims.n_text_layer},
               {"n_text_state", dims.n_text_state}},
      .size = size_of(dims),
      .multilingual = specials->multilingual,
      .has_vocabulary = carries_vocabulary(*weights) || vocabulary_beside(*weights, folder),
      .notes = weights->notes()};
}

Result<std::vector<fs::path>> WhisperFamily::files(const fs::path& model) {
  try {
    const fs::path main = fs::is_directory(model) ? model_file_in(model).file : model;
    const auto weights = read_weights(main);
    if (!weights) return weights.error();
    return files_of(*weights, main.parent_path());
  } catch (const Exception& exception) {
    return exception.error;
  } catch (const fs::filesystem_error& error) {
    return Error{Errc::unreadable, std::string("[weights] ") + error.what(),
                 "Check who may read the model."};
  }
}

std::optional<std::string> WhisperFamily::base_of_adapter(const fs::path& model) {
  const auto adapter = find_adapter(model);
  if (!adapter) return std::nullopt;
  return adapter->base;
}

Result<std::vector<fs::path>> WhisperFamily::merge_adapter(const fs::path& adapter,
                                                           const fs::path& base,
                                                           const fs::path& out) {
  const auto found = find_adapter(adapter);
  if (!found) {
    return Error{Errc::not_found, "[weights] no adapter (" + adapter.string() + ")",
                 "Name its folder."};
  }
  const auto weights = read_weights(base);
  if (!weights) return weights.error();
  if (auto done = engine::merge_adapter(*found, *weights, out); !done) return done.error();
  std::error_code ignored;
  auto files = files_of(*weights, fs::is_directory(base, ignored) ? base : base.parent_path());
  files.erase(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(weights->files().size()));
  return files;
}

std::vector<fs::path> WhisperFamily::vocabulary_files(const fs::path& folder, bool multilingual) {
  auto files = vocabularies(folder);
  const int n_vocab = multilingual ? multilingual_vocabulary : english_vocabulary;
  if (!files.empty() && !Tokenizer::load(folder, n_vocab)) files.clear();
  return files;
}

int WhisperFamily::n_languages(const Dims& dims) {
  const auto n_vocab = dims.find("n_vocab");
  const auto specials = special_tokens(n_vocab == dims.end() ? 0 : n_vocab->second);
  return specials && specials->multilingual ? specials->n_languages : 1;
}

}  // namespace engine
