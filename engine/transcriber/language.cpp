#include "engine/transcriber/language.h"

namespace engine {

Result<DetectedLanguage> detect_language(Runner& runner, const Tokenizer& tokenizer,
                                         const EncodedWindow& window) {
  auto logits = runner.logits_after_sot(window, tokenizer.sot());
  if (!logits) return logits.error();
  const int begin = tokenizer.language_begin();
  const at::Tensor probabilities =
      at::softmax(logits->narrow(0, begin, tokenizer.language_end() - begin), 0);
  const auto best = probabilities.argmax().item<std::int64_t>();
  return DetectedLanguage{std::string(tokenizer.language_code(begin + static_cast<int>(best))),
                          probabilities[best].item<double>()};
}

}  // namespace engine
