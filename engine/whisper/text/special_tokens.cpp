#include "engine/whisper/text/special_tokens.h"

#include <cstdio>

#include "engine/whisper/constants.h"
#include "protocol/languages.h"

namespace engine {
namespace {

constexpr int n_timestamps = 1501;
// The markers are end of text, start of transcript, and the six that follow the languages.
constexpr int n_markers = 8;

std::string timestamp_name(int steps) {
  char text[32];
  std::snprintf(text, sizeof text, "<|%d.%02d|>", steps / 50, steps % 50 * 2);
  return text;
}

}  // namespace

Result<SpecialTokens> special_tokens(int n_vocab) {
  if (n_vocab < english_vocabulary || n_vocab > cantonese_vocabulary) {
    return Error{Errc::damaged_model,
                 "the model has " + std::to_string(n_vocab) +
                     " tokens; Whisper models have 51864, 51865 or 51866",
                 "use a Whisper model whose vocabulary was not changed"};
  }
  SpecialTokens s;
  s.n_vocab = n_vocab;
  s.multilingual = n_vocab > english_vocabulary;
  s.eot = s.multilingual ? n_text_tokens + 1 : n_text_tokens;
  s.n_languages = n_vocab - s.eot - n_markers - n_timestamps;
  s.sot = s.eot + 1;
  s.translate = s.language_end();
  s.transcribe = s.translate + 1;
  s.sot_lm = s.translate + 2;
  s.sot_prev = s.translate + 3;
  s.no_speech = s.translate + 4;
  s.no_timestamps = s.translate + 5;
  s.timestamp_begin = s.translate + 6;
  return s;
}

std::string special_token_name(const SpecialTokens& s, int id) {
  if (id < s.eot || id >= s.n_vocab) return {};
  if (id >= s.timestamp_begin) return timestamp_name(id - s.timestamp_begin);
  if (id >= s.language_begin() && id < s.language_end()) {
    return "<|" + std::string(protocol::languages()[id - s.language_begin()].code) + "|>";
  }
  if (id == s.eot) return "<|endoftext|>";
  if (id == s.sot) return "<|startoftranscript|>";
  if (id == s.translate) return "<|translate|>";
  if (id == s.transcribe) return "<|transcribe|>";
  if (id == s.sot_lm) return "<|startoflm|>";
  if (id == s.sot_prev) return "<|startofprev|>";
  if (id == s.no_speech) return "<|nospeech|>";
  return "<|notimestamps|>";
}

std::optional<int> language_token(const SpecialTokens& specials, std::string_view code) {
  const auto known = protocol::languages().first(specials.n_languages);
  for (int i = 0; i < specials.n_languages; ++i) {
    if (known[i].code == code) return specials.language_begin() + i;
  }
  return std::nullopt;
}

}  // namespace engine
