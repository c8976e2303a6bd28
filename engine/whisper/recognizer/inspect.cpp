#include <algorithm>
#include <array>
#include <span>

#include "engine/whisper/constants.h"
#include "engine/whisper/model/size_of.h"
#include "engine/whisper/recognizer/family.h"
#include "engine/whisper/recognizer/model_tokenizer.h"
#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/text/vocabulary_file.h"
#include "engine/whisper/weights/adapter.h"
#include "engine/whisper/weights/folder.h"
#include "engine/whisper/weights/weights.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr std::array configuration_names{"config.json", "generation_config.json"};
constexpr std::array vocabulary_names{"tokenizer.json", "vocabulary.txt",        "vocabulary.json",
                                      "vocab.json",     "multilingual.tiktoken", "gpt2.tiktoken"};
constexpr const char* added_tokens_name = "added_tokens.json";  // beside vocab.json

std::vector<fs::path> existing(const fs::path& folder, std::span<const char* const> names) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const char* name : names) {
    if (fs::is_regular_file(folder / name, ignored)) found.push_back(folder / name);
  }
  return found;
}

bool holds(const std::vector<fs::path>& files, const fs::path& file) {
  return std::ranges::find(files, file) != files.end();
}

// A file counts only if it reads as a vocabulary: a link of this name may lead to any file, and
// what is installed is copied for everybody to read.
std::vector<fs::path> vocabularies(const fs::path& folder) {
  auto files = existing(folder, vocabulary_names);
  std::erase_if(files, [](const fs::path& file) { return !read_vocabulary(file, true); });
  // It was read with the vocab.json.
  const auto added = existing(folder, std::array{added_tokens_name});
  if (holds(files, folder / "vocab.json")) files.insert(files.end(), added.begin(), added.end());
  return files;
}

// Returns whether the vocabulary of a folder can be lent to a model that has none: not where its
// tokens are others than those of published models.
bool can_be_lent(const fs::path& folder, bool multilingual) {
  const auto vocabulary = read_vocabulary(folder, multilingual);
  const auto size = vocabulary ? published_size(*vocabulary) : std::nullopt;
  return size && (*size != english_vocabulary) == multilingual && check_text(*vocabulary);
}

std::vector<fs::path> files_of(const Weights& weights, const fs::path& folder) {
  std::vector<fs::path> files;
  const auto add = [&files](const std::vector<fs::path>& more) {
    files.insert(files.end(), more.begin(), more.end());
  };
  for (const auto& file : weights.files()) files.push_back(file.path());  // an index, its shards
  if (weights.has_config()) add(existing(folder, configuration_names));
  const bool carries = weights.token_bytes() &&
                       Tokenizer::from_tokens(*weights.token_bytes(), weights.dims().n_vocab,
                                              size_tells(weights.dims()));
  if (!carries) add(vocabularies(folder));
  return files;
}

// The part of an inspection that a model's tokens tell.
struct KnownTokens {
  bool multilingual = false;
  std::vector<std::string> languages;
  bool has_vocabulary = false;
};

KnownTokens known_tokens(bool multilingual, std::span<const LanguageToken> tokens,
                         bool has_vocabulary) {
  KnownTokens known{multilingual, {}, has_vocabulary};
  if (!multilingual) known.languages.emplace_back("en");
  for (const LanguageToken& token : tokens) {
    if (multilingual) known.languages.push_back(token.code);
  }
  return known;
}

// The size tells the tokens of a model that has no tokenizer; whose does not fit it is refused, as
// another's would give nonsense.
Result<KnownTokens> layout_of(const Weights& weights, const fs::path& folder) {
  const auto tokenizer = tokenizer_of(weights, folder);
  if (tokenizer) return known_tokens(tokenizer->multilingual(), tokenizer->languages(), true);
  if (tokenizer.error().code != Errc::not_found) return tokenizer.error();
  const int n_vocab = weights.dims().n_vocab;
  if (size_tells(weights.dims()) == SizeTells::nothing) return unknown_size(n_vocab);
  const auto layout = layout_of_size(n_vocab);
  if (!layout) return layout.error();
  return known_tokens(layout->specials.multilingual, layout->languages, false);
}

}  // namespace

Result<Inspection> WhisperFamily::inspect(const fs::path& model) {
  const auto weights = read_weights(model);
  if (!weights) return weights.error();
  const ModelDims& dims = weights->dims();
  if (const auto heads = check_heads(dims); !heads) return heads.error();
  std::error_code ignored;
  const fs::path folder = fs::is_directory(model, ignored) ? model : model.parent_path();
  const auto layout = layout_of(*weights, folder);
  if (!layout) return layout.error();
  return Inspection{.family = std::string(name),
                    .format = std::string(engine::name(weights->format())),
                    .dims = {{"n_mels", dims.n_mels},
                             {"n_vocab", dims.n_vocab},
                             {"n_audio_layer", dims.n_audio_layer},
                             {"n_audio_state", dims.n_audio_state},
                             {"n_text_layer", dims.n_text_layer},
                             {"n_text_state", dims.n_text_state}},
                    .size = size_of(dims),
                    .multilingual = layout->multilingual,
                    .languages = layout->languages,
                    .has_vocabulary = layout->has_vocabulary,
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
  if (!can_be_lent(folder, multilingual)) files.clear();
  return files;
}

int WhisperFamily::n_languages(const Dims& dims) {
  const auto n_vocab = dims.find("n_vocab");
  const auto layout = layout_of_size(n_vocab == dims.end() ? 0 : n_vocab->second);
  return layout && layout->specials.multilingual ? static_cast<int>(layout->languages.size()) : 1;
}

}  // namespace engine
