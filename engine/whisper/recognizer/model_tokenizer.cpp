#include "engine/whisper/recognizer/model_tokenizer.h"

#include <utility>

#include "engine/whisper/constants.h"

namespace engine {
namespace {

// The mel bins of the published models with the largest vocabulary.
constexpr int mels_of_large_v3 = 128;

}  // namespace

// A model that hears as earlier ones do has 51866 tokens because one was added.
SizeTells size_tells(const ModelDims& dims) {
  const bool is_other = dims.n_vocab == cantonese_vocabulary && dims.n_mels != mels_of_large_v3;
  return is_other ? SizeTells::nothing : SizeTells::layout;
}

Result<Tokenizer> tokenizer_of(const Weights& weights, const std::filesystem::path& folder) {
  const int n_vocab = weights.dims().n_vocab;
  const SizeTells size = size_tells(weights.dims());
  StatedTokens stated;
  if (weights.has_config()) {
    auto read = read_stated_tokens(folder);
    if (!read) return read.error();
    stated = *std::move(read);
  }
  if (!weights.token_bytes()) return Tokenizer::load(folder, n_vocab, stated, size);
  auto carried = Tokenizer::from_tokens(*weights.token_bytes(), n_vocab, size);
  if (carried) return carried;
  // English ggml files hold some tokens as U+FFFD; a vocabulary beside them is right. So it is for
  // models of other sizes, of whose tokens ggml files carry the text alone.
  return Tokenizer::load(folder, n_vocab, stated, size);
}

}  // namespace engine
