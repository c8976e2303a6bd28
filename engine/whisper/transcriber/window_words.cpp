#include "engine/whisper/transcriber/window_words.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/whisper/words/alignment.h"
#include "engine/whisper/words/alignment_heads.h"
#include "engine/whisper/words/segment_words.h"

namespace engine {

Result<std::vector<AlignedWord>> words_of_text(Runner& runner, const Tokenizer& tokenizer,
                                               const TimedWindow& window, std::span<const int> text,
                                               const TranscriptionOptions& options) {
  auto tokens = tokenizer.sot_sequence_including_notimestamps(window.language, options.task);
  if (!tokens) return tokens.error();
  const std::size_t first_row = tokens->size() - 1;
  // A text without timestamps may be longer than the context has room for behind these tokens; what
  // is beyond has no word.
  const auto n_text_ctx = static_cast<std::size_t>(runner.dims().n_text_ctx);
  text = text.first(std::min(text.size(), n_text_ctx - tokens->size()));
  tokens->insert(tokens->end(), text.begin(), text.end());
  tokens->push_back(tokenizer.eot());
  // Text that fills the context leaves no place for the end, of which nothing is read but a mean.
  tokens->resize(std::min(tokens->size(), n_text_ctx));

  const auto heads =
      options.alignment_heads.empty() ? alignment_heads(runner.dims()) : options.alignment_heads;
  const auto found = runner.attend(window.encoded, *std::move(tokens), tokenizer.text_end(), heads);
  if (!found) return found.error();
  AlignmentInput input;
  input.text_tokens = text;
  input.token_probabilities = std::span(found->probabilities).subspan(first_row, text.size());
  input.attention = {found->weights, found->heads, found->tokens, runner.dims().n_audio_ctx};
  input.first_row = static_cast<int>(first_row);
  input.frames = window.place.frames;
  return align_words(tokenizer, window.language, input);
}

Result<std::vector<SegmentWords>> words_of_window(Runner& runner, const Tokenizer& tokenizer,
                                                  const TimedWindow& window,
                                                  std::span<const TimedTokens> parts,
                                                  const TranscriptionOptions& options) {
  const double offset = static_cast<double>(window.place.seek) / 100;
  std::vector<SegmentWords> segments;
  std::vector<int> text;
  for (const TimedTokens& part : parts) {
    const std::size_t before = text.size();
    std::ranges::copy_if(part.tokens, std::back_inserter(text),
                         [&](int token) { return tokenizer.is_text(token); });
    segments.push_back({offset + part.start, offset + part.end, text.size() - before, {}});
  }
  Result<std::vector<AlignedWord>> words = std::vector<AlignedWord>();
  if (!text.empty()) words = words_of_text(runner, tokenizer, window, text, options);
  if (!words) return words.error();
  give_words_to_segments(*std::move(words), offset, window.last_speech_end,
                         {options.prepend_punctuations, options.append_punctuations}, segments);
  return segments;
}

}  // namespace engine
