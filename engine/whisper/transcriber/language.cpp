#include "engine/whisper/transcriber/language.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/whisper/choice/logit_row.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/transcriber/language_vote.h"

namespace engine {
namespace {

protocol::LanguageDetected named(const LanguageVote::Winner& winner, const Tokenizer& tokenizer) {
  return {tokenizer.languages()[winner.language].code, winner.probability};
}

}  // namespace

Result<protocol::LanguageDetected> detect_language(Runner& runner, const Tokenizer& tokenizer,
                                                   const EncodedWindow& window,
                                                   std::span<const std::string> allowed) {
  const auto logits = runner.logits_after_sot(window, tokenizer.sot());
  if (!logits) return logits.error();
  const auto probabilities = language_probabilities(*logits, tokenizer, allowed);
  if (!probabilities) return probabilities.error();
  LanguageVote vote(1);
  vote.add(*probabilities);
  return named(vote.winner(), tokenizer);
}

Result<HeardLanguages> detect_languages(Runner& runner, const Tokenizer& tokenizer,
                                        WindowEncoder& encoder, std::span<const Clip> windows,
                                        const TranscriptionOptions& options) {
  LanguageVote vote(options.language_detection_threshold);
  HeardLanguages heard;
  for (const Clip& window : windows) {
    const auto encoded = encoder.hear(window);
    if (!encoded) return encoded.error();
    const auto logits = runner.logits_after_sot(*encoded, tokenizer.sot());
    if (!logits) return logits.error();
    const auto probabilities = language_probabilities(*logits, tokenizer, options.languages);
    if (!probabilities) return probabilities.error();
    const float no_speech = (*logits)[static_cast<std::size_t>(tokenizer.no_speech())];
    heard.no_speech_prob = std::exp(log_softmax(*logits)(no_speech));
    if (vote.add(*probabilities)) break;
  }
  auto& likeliest = heard.likeliest;
  for (const auto& winner :
       vote.winners(static_cast<std::size_t>(options.language_detection_candidates))) {
    // A language that options.languages rules out has the probability 0.
    if (likeliest.empty() || winner.probability > 0) likeliest.push_back(named(winner, tokenizer));
  }
  return heard;
}

std::vector<Clip> detection_windows(const Clip& content, const TranscriptionOptions& options,
                                    const Speech* speech, std::int64_t first_spoken) {
  constexpr std::int64_t margin = 30;  // of sound before speech
  const std::int64_t first = first_spoken < content.begin + window_frames / 2
                                 ? content.begin
                                 : std::min(first_spoken, content.end) - margin;
  const auto window_at = [&](std::int64_t begin) {
    const std::int64_t end = begin + window_frames;
    const bool whole = options.language_detection_candidates == 1 || content.end == 0;
    return Clip{begin, whole ? end : std::min(end, content.end)};
  };
  std::vector<Clip> windows;
  for (std::int64_t begin = first; begin < content.end; begin += window_frames) {
    if (static_cast<int>(windows.size()) == options.language_detection_segments) break;
    const Clip window = window_at(begin);
    if (!speech || speech->any_in(window)) windows.push_back(window);
  }
  if (windows.empty()) windows.push_back(window_at(first));
  return windows;
}

Result<std::vector<double>> language_probabilities(std::span<const float> logits,
                                                   const Tokenizer& tokenizer,
                                                   std::span<const std::string> allowed) {
  constexpr float minus_infinity = -std::numeric_limits<float>::infinity();
  std::vector<float> among;
  for (const LanguageToken& language : tokenizer.languages()) {
    const bool counts =
        allowed.empty() || std::ranges::find(allowed, language.code) != allowed.end();
    among.push_back(counts ? logits[static_cast<std::size_t>(language.id)] : minus_infinity);
  }
  const LogSoftmax logprob_of = log_softmax(among);
  std::vector<double> probabilities;
  for (const float logit : among) probabilities.push_back(std::exp(double{logprob_of(logit)}));
  if (std::ranges::any_of(probabilities, [](double p) { return std::isnan(p); })) {
    return Error{Errc::non_finite_logits, "the model's output is not a number (NaN or infinity)",
                 "Check the model with 'scribed models show NAME --verify', or use "
                 "--compute-type float32."};
  }
  return probabilities;
}

}  // namespace engine
