#include "engine/whisper/decoding/window_decoding.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/whisper/decoding/compression_ratio.h"
#include "engine/whisper/decoding/repetition.h"
#include "engine/whisper/decoding/strip.h"

namespace engine {
namespace {

std::unique_ptr<TokenDecoder> make_decoder(const DecodingOptions& options, int eot) {
  if (!options.sampling() && options.beam_size > 1) {
    return make_beam_search(options.beam_size, options.patience, eot);
  }
  return make_greedy(options.n_rows(), options.temperature, eot, options.seed);
}

// A sum is finite only if every term is; unlike isfinite() it makes no tensor of flags.
void require_finite(const at::Tensor& logits) {
  if (std::isfinite(logits.sum().item<float>())) return;
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
    return Error{Errc::invalid_option, "the length penalty must lie between 0 and 1", ""};
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
      n_text_ctx_(dims.n_text_ctx),
      sample_len_(options.sample_len.value_or(dims.n_text_ctx / 2)),
      filters_(options, tokenizer, dims.n_audio_ctx),
      decoder_(make_decoder(options, tokenizer.eot())) {}

void WindowDecoding::read_no_speech_prob(const at::Tensor& logits) {
  no_speech_prob_ = at::softmax(logits, -1)[tokenizer_->no_speech()].item<float>();
}

bool WindowDecoding::accept(at::Tensor logits) {
  require_finite(logits);
  filters_.apply(logits, decoder_->sampled());
  const bool completed = decoder_->update(logits);
  const auto n_sampled = static_cast<int>(decoder_->sampled()[0].size());
  return completed || is_caught_in_loop() || n_sampled >= sample_len_ ||
         static_cast<int>(initial_.tokens.size()) + n_sampled > n_text_ctx_;
}

// Returns whether every row that has not ended is caught in a loop.
bool WindowDecoding::is_caught_in_loop() const {
  if (!options_.loop_detection) return false;
  const int eot = tokenizer_->eot();
  return std::ranges::all_of(decoder_->sampled(), [eot](const std::vector<int>& row) {
    return row.back() == eot || engine::is_caught_in_loop(text_tokens(row, eot));
  });
}

std::vector<std::int64_t> WindowDecoding::next_tokens() const {
  std::vector<std::int64_t> tokens;
  for (const auto& row : decoder_->sampled()) tokens.push_back(row.back());
  return tokens;
}

DecodingResult WindowDecoding::finish() {
  const auto ends_in_loop = [this](const Hypothesis& hypothesis) {
    return options_.loop_detection &&
           engine::ends_in_loop(text_tokens(hypothesis.tokens, tokenizer_->eot()));
  };
  auto hypotheses = decoder_->finalize();
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
