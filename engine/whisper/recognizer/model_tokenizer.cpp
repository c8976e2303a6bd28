#include "engine/whisper/recognizer/model_tokenizer.h"

#include <utility>

#include "engine/whisper/constants.h"
#include "engine/whisper/text/vocabulary_file.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

// The mel bins of the published models with the largest vocabulary.
constexpr int mels_of_large_v3 = 128;

std::vector<std::string> names_of(const Weights& weights) {
  std::vector<std::string> names;
  for (const auto& file : weights.files()) names.push_back(file.path().filename().string());
  return names;
}

Result<ModelTokenizer> read_beside(const fs::path& folder, const StatedTokens& stated,
                                   const ModelDims& dims) {
  auto tokenizer = Tokenizer::load(folder, dims.n_vocab, stated, size_tells(dims));
  if (!tokenizer) return tokenizer.error();
  std::vector<std::string> files;
  if (const auto file = vocabulary_file_in(folder, dims.n_vocab != english_vocabulary)) {
    files.push_back(file->filename().string());
  }
  if (!stated.ids.empty()) files.emplace_back("generation_config.json");
  return ModelTokenizer{*std::move(tokenizer), std::move(files)};
}

}  // namespace

// A model that hears as earlier ones do has 51866 tokens because one was added.
SizeTells size_tells(const ModelDims& dims) {
  const bool is_other = dims.n_vocab == cantonese_vocabulary && dims.n_mels != mels_of_large_v3;
  return is_other ? SizeTells::nothing : SizeTells::layout;
}

Result<ModelTokenizer> tokenizer_of(const Weights& weights, const fs::path& folder,
                                    const fs::path& vocabulary) {
  StatedTokens stated;
  if (weights.has_config()) {
    auto read = read_stated_tokens(folder);
    if (!read) return read.error();
    stated = *std::move(read);
  }
  const fs::path beside = vocabulary.empty() ? folder : vocabulary;
  if (!weights.token_bytes()) return read_beside(beside, stated, weights.dims());
  const SizeTells size = size_tells(weights.dims());
  auto carried = Tokenizer::from_tokens(*weights.token_bytes(), weights.dims().n_vocab, size);
  if (carried) return ModelTokenizer{*std::move(carried), names_of(weights)};
  // English ggml files hold some tokens as U+FFFD; a vocabulary beside them is right. So it is for
  // models of other sizes, of whose tokens ggml files carry the text alone.
  return read_beside(beside, stated, weights.dims());
}

}  // namespace engine
