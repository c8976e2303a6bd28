#include "engine/whisper/text/special_tokens.h"

#include <algorithm>
#include <string>

namespace engine {
namespace {

// The markers are end of text, start of transcript, and the six that follow the languages.
constexpr int n_markers = 8;

}  // namespace

bool SpecialTokens::is_text(int id) const {
  return std::ranges::any_of(
      text, [id](const IdRange& range) { return id >= range.begin && id < range.end; });
}

int SpecialTokens::leading_text() const {
  return text.empty() || text.front().begin > 0 ? 0 : text.front().end;
}

bool SpecialTokens::is_in_published_order() const {
  return text.size() == 1 && text.front() == IdRange{0, eot} && eot < timestamp_begin &&
         n_tokens <= timestamp_end();
}

Error unknown_size(int n_vocab) {
  return {
      Errc::refused_model,
      "the model has " + std::to_string(n_vocab) +
          " tokens and no tokenizer that says which; OpenAI's models have 51864, 51865 or 51866",
      "Put the model's tokenizer.json next to it."};
}

Result<SpecialTokens> special_tokens(int n_vocab) {
  if (n_vocab < english_vocabulary || n_vocab > cantonese_vocabulary) {
    return unknown_size(n_vocab);
  }
  SpecialTokens s;
  s.n_vocab = n_vocab;
  s.n_tokens = n_vocab;
  s.multilingual = n_vocab > english_vocabulary;
  s.eot = s.multilingual ? n_text_tokens + 1 : n_text_tokens;
  s.sot = s.eot + 1;
  const int n_languages = n_vocab - s.eot - n_markers - n_timestamps;
  s.translate = s.sot + 1 + n_languages;
  s.transcribe = s.translate + 1;
  s.sot_lm = s.translate + 2;
  s.sot_prev = s.translate + 3;
  s.no_speech = s.translate + 4;
  s.no_timestamps = s.translate + 5;
  s.timestamp_begin = s.translate + 6;
  s.text = {{0, s.eot}};
  return s;
}

}  // namespace engine
