#include "engine/whisper/transcriber/fallback.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace engine {

bool is_repetitive(const DecodingResult& result, const TranscriptionOptions& options) {
  const bool compresses = options.compression_ratio_threshold &&
                          result.compression_ratio > *options.compression_ratio_threshold;
  return compresses || result.looping;
}

bool needs_fallback(const DecodingResult& result, const TranscriptionOptions& options) {
  const bool improbable =
      options.logprob_threshold && result.avg_logprob < *options.logprob_threshold;
  const bool silent = improbable && options.no_speech_threshold &&
                      result.no_speech_prob > *options.no_speech_threshold;
  return (is_repetitive(result, options) || improbable) && !silent;
}

bool is_silence(const DecodingResult& result, const TranscriptionOptions& options) {
  if (!options.no_speech_threshold) return false;
  const double silence = result.no_speech_prob;
  if (!options.logprob_threshold) return silence > *options.no_speech_threshold;
  const bool probable = result.avg_logprob > *options.logprob_threshold;
  const bool guessed = result.avg_logprob < 2 * *options.logprob_threshold;
  return !probable && silence > (guessed ? 0.5 : 1) * *options.no_speech_threshold;
}

const DecodingResult& best_try(std::span<const DecodingResult> tries,
                               const TranscriptionOptions& options) {
  if (options.fallback == Fallback::openai) return tries.back();
  return *std::ranges::max_element(tries, {}, [&](const DecodingResult& result) {
    return std::pair(!is_repetitive(result, options), result.avg_logprob);
  });
}

DecodingOptions first_try(DecodingOptions decoding, const TranscriptionOptions& options) {
  decoding.temperature = options.temperatures.front();
  decoding.seed += 1;
  return decoding;
}

Result<DecodingResult> decode_first(Runner& runner, const Tokenizer& tokenizer,
                                    const EncodedWindow& window, const DecodingOptions& decoding,
                                    const TranscriptionOptions& options,
                                    const std::stop_token& stop) {
  auto task = WindowDecoding::create(first_try(decoding, options), tokenizer, runner.dims());
  if (!task) return task.error();
  return runner.decode(window, std::move(*task), stop);
}

Result<WindowTries> decode_with_fallback(Runner& runner, const Tokenizer& tokenizer,
                                         const EncodedWindow& window, DecodingOptions decoding,
                                         const TranscriptionOptions& options,
                                         const std::stop_token& stop,
                                         std::optional<DecodingResult> first) {
  std::vector<DecodingResult> tries;
  if (first) tries.push_back(*std::move(first));
  decoding.seed += tries.size();
  while (tries.empty() || needs_fallback(tries.back(), options)) {
    if (tries.size() == options.temperatures.size()) {
      return WindowTries{best_try(tries, options), tries.back()};
    }
    decoding.temperature = options.temperatures[tries.size()];
    decoding.seed += 1;  // another try draws other samples
    auto task = WindowDecoding::create(decoding, tokenizer, runner.dims());
    if (!task) return task.error();
    auto result = runner.decode(window, std::move(*task), stop);
    if (!result) return result.error();
    tries.push_back(*std::move(result));
  }
  return WindowTries{tries.back(), tries.back()};
}

}  // namespace engine
