#include "engine/whisper/decoding/window_decoding.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "engine/whisper/choice/repetition.h"
#include "engine/whisper/decoding/choice_rules.h"
#include "engine/whisper/decoding/compression_ratio.h"
#include "engine/whisper/decoding/strip.h"

namespace engine {
namespace {

// Returns how many sequences of a beam search have to end; 0 where rows end by themselves.
std::size_t most_finished(const DecodingOptions& options, const ChoiceOptions& choice) {
  if (!choice.beam_search) return 0;
  return static_cast<std::size_t>(
      std::max(1.0, std::nearbyint(options.beam_size * options.patience)));
}

[[noreturn]] void refuse_logits() {
  throw Exception({Errc::non_finite_logits, "the model's output is not a number (NaN or infinity)",
                   "Check the model with 'scribed models show NAME --verify', or use "
                   "--compute-type float32."});
}

}  // namespace

Result<WindowDecoding> WindowDecoding::create(const DecodingOptions& options,
                                              const Tokenizer& tokenizer, const ModelDims& dims) {
  if (options.n_rows() < 1) {
    return Error{Errc::invalid_option, "beam size and best-of must be at least 1", ""};
  }
  if (options.length_penalty && (*options.length_penalty < 0 || *options.length_penalty > 1)) {
    return Error{Errc::invalid_option, "the length penalty must be between 0 and 1", ""};
  }
  auto initial = engine::initial_tokens(options, tokenizer, dims.n_text_ctx);
  if (!initial) return initial.error();
  return WindowDecoding(options, std::move(*initial), tokenizer, dims);
}

WindowDecoding::WindowDecoding(const DecodingOptions& options, InitialTokens initial,
                               const Tokenizer& tokenizer, const ModelDims& dims)
    : options_(options),
      initial_(std::move(initial)),
      tokenizer_(&tokenizer),
      // The decoder has a position for each token but the last one.
      most_tokens_(std::min(options.sample_len.value_or(dims.n_text_ctx / 2),
                            dims.n_text_ctx + 1 - static_cast<int>(initial_.tokens.size()))),
      choice_(choice_rules(options, tokenizer, dims.n_audio_ctx)),
      sequences_(options.n_rows(), tokenizer.eot(), most_finished(options, choice_)) {}

bool WindowDecoding::accept(const StepOutcome& outcome) {
  if (outcome.out_of_memory) throw std::bad_alloc();
  if (!outcome.finite) refuse_logits();
  if (outcome.no_speech_prob) no_speech_prob_ = *outcome.no_speech_prob;
  const bool completed = sequences_.add(outcome);
  return completed || sequences_.length() >= most_tokens_ || is_caught_in_loop();
}

// Returns whether every row that has not ended is caught in a loop.
bool WindowDecoding::is_caught_in_loop() const {
  if (!options_.loop_detection) return false;
  const SpecialTokens& specials = tokenizer_->specials();
  return std::ranges::all_of(sequences_.rows(), [&](const Hypothesis& row) {
    return row.tokens.back() == specials.eot ||
           engine::is_caught_in_loop(text_tokens(row.tokens, specials));
  });
}

DecodingResult WindowDecoding::finish() const {
  const auto ends_in_loop = [this](const Hypothesis& hypothesis) {
    return options_.loop_detection &&
           engine::ends_in_loop(text_tokens(hypothesis.tokens, tokenizer_->specials()));
  };
  auto hypotheses = sequences_.finalize();
  // Loops have likely tokens, so they would win over text that is right.
  if (!std::ranges::all_of(hypotheses, ends_in_loop)) std::erase_if(hypotheses, ends_in_loop);
  const Hypothesis& best = hypotheses[rank(hypotheses, options_.length_penalty)];
  DecodingResult result;
  result.tokens = best.tokens;
  result.logprobs = best.logprobs;
  result.text = strip(tokenizer_->decode_with_specials(best.tokens));
  result.avg_logprob = best.sum_logprob / (static_cast<double>(best.tokens.size()) + 1);
  result.no_speech_prob = no_speech_prob_;
  result.temperature = options_.temperature;
  result.compression_ratio = compression_ratio(result.text);
  result.looping = ends_in_loop(best);
  return result;
}

}  // namespace engine
