#include "engine/whisper/transcriber/language_candidates.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace engine {
namespace {

constexpr double sure = 0.8;

}  // namespace

bool should_text_decide(const HeardLanguages& heard, const TranscriptionOptions& options) {
  const bool is_silent =
      options.no_speech_threshold && heard.no_speech_prob > *options.no_speech_threshold;
  return heard.likeliest.size() > 1 && heard.likeliest.front().probability < sure && !is_silent;
}

Result<LanguageCandidate> choose_by_text(Runner& runner, const Tokenizer& tokenizer,
                                         const EncodedWindow& window,
                                         std::span<const protocol::LanguageDetected> languages,
                                         const DecodingOptions& decoding,
                                         const TranscriptionOptions& options,
                                         const std::stop_token& stop) {
  std::vector<WindowDecoding> tasks;
  for (const protocol::LanguageDetected& language : languages) {
    DecodingOptions own = first_try(decoding, options);
    own.language = language.language;
    auto task = WindowDecoding::create(own, tokenizer, runner.dims());
    if (!task) return task.error();
    tasks.push_back(*std::move(task));
  }
  auto texts = runner.decode_together(window, std::move(tasks), stop);
  if (!texts) return texts.error();
  std::vector<LanguageCandidate> candidates;
  for (std::size_t i = 0; i < languages.size(); ++i) {
    candidates.push_back({languages[i], std::move((*texts)[i])});
  }
  return best_candidate(candidates, options);
}

const LanguageCandidate& best_candidate(std::span<const LanguageCandidate> candidates,
                                        const TranscriptionOptions& options) {
  return *std::ranges::max_element(candidates, {}, [&](const LanguageCandidate& candidate) {
    const double score = candidate.text.avg_logprob + std::log(candidate.language.probability);
    return std::pair(!is_repetitive(candidate.text, options), score);
  });
}

}  // namespace engine
