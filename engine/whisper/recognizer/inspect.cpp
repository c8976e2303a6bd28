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

// Adds what the tokens tell to the inspection.
void add_tokens(Inspection& model, bool multilingual, std::span<const LanguageToken> tokens) {
  model.multilingual = multilingual;
  if (!multilingual) model.languages.emplace_back("en");
  for (const LanguageToken& token : tokens) {
    if (multilingual) model.languages.push_back(token.code);
  }
}

// The size tells the tokens of a model that has no tokenizer; whose does not fit it is refused, as
// another's would give nonsense.
Result<void> inspect_tokens(const Weights& weights, const fs::path& folder, const fs::path& lent,
                            Inspection& model) {
  const auto found = tokenizer_of(weights, folder, lent);
  if (found) {
    add_tokens(model, found->tokenizer.multilingual(), found->tokenizer.languages());
    model.has_vocabulary = true;
    model.tokens_from = found->files;
    return {};
  }
  if (found.error().code != Errc::not_found) return found.error();
  const int n_vocab = weights.dims().n_vocab;
  if (size_tells(weights.dims()) == SizeTells::nothing) return unknown_size(n_vocab);
  const auto layout = layout_of_size(n_vocab);
  if (!layout) return layout.error();
  add_tokens(model, layout->specials.multilingual, layout->languages);
  return {};
}

Dims dims_of(const ModelDims& dims) {
  return {{"n_mels", dims.n_mels},
          {"n_vocab", dims.n_vocab},
          {"n_audio_ctx", dims.n_audio_ctx},
          {"n_audio_head", dims.n_audio_head},
          {"n_audio_layer", dims.n_audio_layer},
          {"n_audio_state", dims.n_audio_state},
          {"n_text_ctx", dims.n_text_ctx},
          {"n_text_head", dims.n_text_head},
          {"n_text_layer", dims.n_text_layer},
          {"n_text_state", dims.n_text_state}};
}

AlignmentHeads heads_of(const Weights& weights) {
  AlignmentHeads heads{.left_out = weights.lacks_stated_heads()};
  if (const auto& stated = weights.alignment_heads()) {
    heads.source = AlignmentHeads::Source::model;
    heads.count = static_cast<int>(stated->size());
  }
  return heads;
}

Error no_adapter(const fs::path& path) {
  return {Errc::not_found, "[weights] no adapter (" + path.string() + ")", "Name its folder."};
}

NumberCounts numbers_of(const TensorTable& tensors) {
  NumberCounts numbers;
  for (const auto& [name, tensor] : tensors) {
    numbers[std::string(engine::name(tensor.dtype))] += tensor.elements();
  }
  return numbers;
}

fs::path folder_of(const fs::path& model) {
  std::error_code ignored;
  return fs::is_directory(model, ignored) ? model : model.parent_path();
}

}  // namespace

Result<Examination> WhisperFamily::examine(const fs::path& model, const fs::path& lent) {
  const auto weights = read_weights(model);
  if (!weights) return weights.error();
  const ModelDims& dims = weights->dims();
  Examination found{.model = {.family = std::string(name),
                              .format = std::string(engine::name(weights->format())),
                              .writer = weights->writer(),
                              .dims = dims_of(dims),
                              .numbers = numbers_of(weights->tensors()),
                              .alignment_heads = heads_of(*weights),
                              .size = size_of(dims),
                              .notes = weights->notes()}};
  auto fine = check_heads(dims);
  if (fine) fine = inspect_tokens(*weights, folder_of(model), lent, found.model);
  if (!fine) found.refusal = fine.error();
  return found;
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
  if (!found) return no_adapter(adapter);
  const auto weights = read_weights(base);
  if (!weights) return weights.error();
  if (auto done = engine::merge_adapter(*found, *weights, out); !done) return done.error();
  auto files = files_of(*weights, folder_of(base));
  files.erase(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(weights->files().size()));
  return files;
}

Result<AdapterFacts> WhisperFamily::examine_adapter(const fs::path& adapter, const fs::path& base) {
  const auto found = find_adapter(adapter);
  if (!found) return no_adapter(adapter);
  const auto weights = read_weights(base);
  if (!weights) return weights.error();
  const auto content = engine::examine_adapter(*found, *weights);
  if (!content) return content.error();
  return AdapterFacts{content->writer, content->layers, content->rank, content->numbers};
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
