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
  if (!options.no_speech_threshold || result.no_speech_prob <= *options.no_speech_threshold) {
    return false;
  }
  const bool probable =
      options.logprob_threshold && result.avg_logprob > *options.logprob_threshold;
  return !probable;
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
