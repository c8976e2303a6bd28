#include "engine/transcriber/fallback.h"

namespace engine {

bool needs_fallback(const DecodingResult& result, const TranscriptionOptions& options) {
  const bool compresses = options.compression_ratio_threshold &&
                          result.compression_ratio > *options.compression_ratio_threshold;
  const bool repetitive = compresses || result.looping;
  const bool improbable =
      options.logprob_threshold && result.avg_logprob < *options.logprob_threshold;
  const bool silent = improbable && options.no_speech_threshold &&
                      result.no_speech_prob > *options.no_speech_threshold;
  return (repetitive || improbable) && !silent;
}

bool is_silence(const DecodingResult& result, const TranscriptionOptions& options) {
  if (!options.no_speech_threshold) return false;
  const double silence = result.no_speech_prob;
  if (!options.logprob_threshold) return silence > *options.no_speech_threshold;
  const bool probable = result.avg_logprob > *options.logprob_threshold;
  const bool guessed = result.avg_logprob < 2 * *options.logprob_threshold;
  return !probable && silence > (guessed ? 0.5 : 1) * *options.no_speech_threshold;
}

Result<DecodingResult> decode_with_fallback(Runner& runner, const Tokenizer& tokenizer,
                                            const EncodedWindow& window, DecodingOptions decoding,
                                            const TranscriptionOptions& options,
                                            const std::stop_token& stop) {
  Result<DecodingResult> result = Error{Errc::invalid_option, "no temperature was given", ""};
  for (const double temperature : options.temperatures) {
    decoding.temperature = temperature;
    decoding.seed += 1;  // another try draws other samples
    auto task = WindowDecoding::create(decoding, tokenizer, runner.dims());
    if (!task) return task.error();
    result = runner.decode(window, std::move(*task), stop);
    if (!result || !needs_fallback(*result, options)) break;
  }
  return result;
}

}  // namespace engine
