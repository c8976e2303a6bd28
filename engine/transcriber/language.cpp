#include "engine/transcriber/language.h"

#include <cmath>

namespace engine {

Result<DetectedLanguage> detect_language(Runner& runner, const Tokenizer& tokenizer,
                                         const EncodedWindow& window) {
  auto logits = runner.logits_after_sot(window, tokenizer.sot());
  if (!logits) return logits.error();
  const int begin = tokenizer.language_begin();
  const at::Tensor probabilities =
      at::softmax(logits->narrow(0, begin, tokenizer.language_end() - begin), 0);
  const auto best = probabilities.argmax().item<std::int64_t>();
  if (std::isnan(probabilities[best].item<float>())) {
    return Error{Errc::non_finite_logits, "the model's output is not a number (NaN or infinity)",
                 "Check the model with 'scribed models show NAME --verify', or use "
                 "--compute-type float32."};
  }
  return DetectedLanguage{std::string(tokenizer.language_code(begin + static_cast<int>(best))),
                          probabilities[best].item<double>()};
}

}  // namespace engine
