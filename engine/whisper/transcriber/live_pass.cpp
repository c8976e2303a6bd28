#include "engine/whisper/transcriber/live_pass.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/audio/sample_rate.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/transcriber/fallback.h"
#include "engine/whisper/transcriber/language.h"
#include "engine/whisper/transcriber/live_guards.h"
#include "engine/whisper/transcriber/window_encoder.h"
#include "engine/whisper/transcriber/window_options.h"
#include "engine/whisper/transcriber/window_words.h"
#include "engine/whisper/words/segment_words.h"

namespace engine {
namespace {

// The limit is more tokens than anybody speaks; a loop in a short buffer ends the sooner.
int most_tokens(const LivePass& pass, const TranscriptionOptions& options, int n_text_ctx) {
  constexpr int at_once = 32;
  constexpr int per_second = 16;
  const double begin_s = static_cast<double>(pass.begin) / sample_rate_hz;
  const double known_s = pass.prefix.empty() ? 0 : pass.prefix.back().word.end - begin_s;
  const double new_s = static_cast<double>(pass.frames) / frames_per_second - known_s;
  const int spoken = at_once + static_cast<int>(per_second * std::max(0.0, new_s));
  return std::min(spoken, options.sample_len.value_or(n_text_ctx / 2));
}

DecodingOptions live_decoding_options(const LivePass& pass, const std::string& language,
                                      const TranscriptionOptions& options,
                                      const Tokenizer& tokenizer, int n_text_ctx) {
  constexpr int special_tokens = 5;  // sot_prev, sot, language, task, no timestamps
  DecodingOptions decoding = window_options(options, tokenizer, language);
  decoding.without_timestamps = true;
  decoding.sample_len = most_tokens(pass, options, n_text_ctx);
  decoding.prefix = tokens_of(pass.prefix);
  // Behind committed words nothing more may be said.
  decoding.suppress_blank = options.suppress_blank && pass.prefix.empty();
  const int taken =
      special_tokens + static_cast<int>(decoding.prefix.size()) + *decoding.sample_len;
  const auto room = static_cast<std::size_t>(std::max(0, n_text_ctx - taken));
  const std::size_t left_out = pass.prompt.size() - std::min(room, pass.prompt.size());
  decoding.prompt.assign(pass.prompt.begin() + static_cast<std::ptrdiff_t>(left_out),
                         pass.prompt.end());
  decoding.seed = options.seed + static_cast<std::uint64_t>(pass.begin);
  return decoding;
}

// Takes the tokens of the prefix from the words. A word that it ends in keeps the rest.
void leave_out_prefix(std::vector<AlignedWord>& words, std::size_t prefix,
                      const Tokenizer& tokenizer) {
  auto word = words.begin();
  for (; word != words.end() && word->tokens.size() <= prefix; ++word) {
    prefix -= word->tokens.size();
  }
  words.erase(words.begin(), word);
  if (words.empty() || prefix == 0) return;
  AlignedWord& first = words.front();
  first.tokens.erase(first.tokens.begin(),
                     first.tokens.begin() + static_cast<std::ptrdiff_t>(prefix));
  first.word = tokenizer.decode(first.tokens);
}

bool is_appended_sign(const std::string& word, const TranscriptionOptions& options) {
  return !word.empty() && options.append_punctuations.find(word) != std::string::npos;
}

// Returns the words of the prefix and of `text` behind it, signs being words of their own.
Result<std::vector<AlignedWord>> all_words(Runner& runner, const Tokenizer& tokenizer,
                                           const LivePass& pass, const TimedWindow& window,
                                           const std::vector<int>& text,
                                           const TranscriptionOptions& options) {
  auto words = words_of_text(runner, tokenizer, window, text, options);
  if (!words) return words.error();
  const double begin_s = static_cast<double>(pass.begin) / sample_rate_hz;
  const double end_s = begin_s + static_cast<double>(pass.frames) / frames_per_second;
  SegmentWords all{begin_s, end_s, text.size(), {}};
  give_words_to_segments(*std::move(words), begin_s, pass.last_speech_end,
                         {.prepended = "", .appended = ""}, {&all, 1});
  return std::move(all.words);
}

Result<std::vector<HeardWord>> new_words(Runner& runner, const Tokenizer& tokenizer,
                                         const LivePass& pass, const TimedWindow& window,
                                         const std::vector<int>& tokens,
                                         const TranscriptionOptions& options) {
  constexpr std::int64_t samples_per_position = sample_rate_hz / 50;
  std::vector<int> text = tokens_of(pass.prefix);
  const std::size_t known = text.size();
  std::ranges::copy_if(tokens, std::back_inserter(text),
                       [&](int token) { return tokenizer.is_text(token); });
  std::vector<HeardWord> heard;
  if (text.size() == known) return heard;
  auto words = all_words(runner, tokenizer, pass, window, text, options);
  if (!words) return words.error();
  leave_out_prefix(*words, known, tokenizer);
  for (AlignedWord& word : *words) {
    const std::int64_t attended = pass.begin + word.attended * samples_per_position;
    const bool sign = is_appended_sign(word.word, options);
    heard.push_back({std::move(word), attended, sign});
  }
  return heard;
}

// A loop may have begun in what is committed; one that has ended there was said so.
bool is_lost(const LivePass& pass, const std::vector<int>& tokens,
             const std::vector<HeardWord>& words) {
  constexpr std::size_t most_before = 8;
  const std::vector<int> before = tokens_of(pass.prefix);
  std::vector<int> latest(
      before.end() - static_cast<std::ptrdiff_t>(std::min(most_before, before.size())),
      before.end());
  latest.insert(latest.end(), tokens.begin(), tokens.end());
  return repeats_itself(latest) || jumps_back(words);
}

// Decodes the window behind the prefix.
Result<void> hear_window(Runner& runner, const Tokenizer& tokenizer, const LivePass& pass,
                         const EncodedWindow& window, const TranscriptionOptions& options,
                         const std::stop_token& stop, HeardSound& heard) {
  TranscriptionOptions tries = options;
  if (!pass.is_last_chance) tries.temperatures.resize(1);
  const auto decoding =
      live_decoding_options(pass, heard.language, options, tokenizer, runner.dims().n_text_ctx);
  auto result = decode_with_fallback(runner, tokenizer, window, decoding, tries, stop);
  if (!result) return result.error();
  heard.result = std::move(result->chosen);
  // A few new words tell too little of whether the text as a whole is probable.
  const bool fails = pass.prefix.empty() ? needs_fallback(heard.result, options)
                                         : is_repetitive(heard.result, options);
  if (!pass.is_last_chance && fails) return {};
  if (is_silence(result->last, options)) {
    heard.words.emplace();
    return {};
  }
  const TimedWindow timed{window, {0, pass.frames, pass.frames}, heard.language, 0};
  auto words = new_words(runner, tokenizer, pass, timed, heard.result.tokens, options);
  if (!words) return words.error();
  if (!pass.is_last_chance && is_lost(pass, heard.result.tokens, *words)) return {};
  heard.words = *std::move(words);
  return {};
}

// Words that became sure one by one were decided before what follows them was heard.
Result<void> hear_whole(Runner& runner, const Tokenizer& tokenizer, LivePass pass,
                        const EncodedWindow& window, const TranscriptionOptions& options,
                        const std::stop_token& stop, HeardSound& heard) {
  pass.prefix.resize(pass.earlier);
  pass.is_last_chance = false;
  HeardSound anew;
  anew.language = heard.language;
  if (auto done = hear_window(runner, tokenizer, pass, window, options, stop, anew); !done) {
    return done;
  }
  heard.whole = std::move(anew.words);
  return {};
}

Result<HeardSound> hear_encoded(Runner& runner, const Tokenizer& tokenizer, const LivePass& pass,
                                const EncodedWindow& window, const TranscriptionOptions& options,
                                const std::stop_token& stop) {
  HeardSound heard;
  heard.language = pass.language;
  if (heard.language.empty()) {
    auto detected = detect_language(runner, tokenizer, window, options.languages);
    if (!detected) return detected.error();
    heard.language = std::move(detected->language);
    heard.language_probability = detected->probability;
  }
  auto done = hear_window(runner, tokenizer, pass, window, options, stop, heard);
  if (heard.words && pass.may_end_turn && pass.earlier < pass.prefix.size()) {
    done = hear_whole(runner, tokenizer, pass, window, options, stop, heard);
  }
  if (!done) return done.error();
  return heard;
}

// A text that fails may be a better one in the full window.
bool is_doubtful(const LivePass& pass, const HeardSound& heard) {
  if (!heard.words) return true;
  const double begin_s = static_cast<double>(pass.begin) / sample_rate_hz;
  const double known_end = pass.prefix.empty() ? begin_s : pass.prefix.back().word.end;
  return leaves_speech_out(*heard.words, known_end, pass.speech_end);
}

// The other temperatures are tried in the full window alone.
Result<HeardSound> hear_checked(Runner& runner, const Tokenizer& tokenizer, LivePass pass,
                                EncodedWindow window, const TranscriptionOptions& options,
                                const std::stop_token& stop) {
  const bool is_last_chance = std::exchange(pass.is_last_chance, false);
  auto heard = hear_encoded(runner, tokenizer, pass, window, options, stop);
  if (!heard) return heard.error();
  const bool is_doubted = is_doubtful(pass, *heard);
  runner.count_window(is_doubted ? WindowKind::checked : WindowKind::shortened);
  if (!is_doubted) return heard;
  window.reset();
  pass.is_last_chance = is_last_chance;
  pass.mel.frames = window_frames;
  auto full = runner.encode_again(std::move(pass.mel));
  if (!full) return full.error();
  return hear_encoded(runner, tokenizer, pass, *full, options, stop);
}

}  // namespace

Result<HeardSound> hear_sound(Runner& runner, const Tokenizer& tokenizer, LivePass pass,
                              const TranscriptionOptions& options, const std::stop_token& stop) {
  if (!encodes_short(runner, options)) pass.mel.frames = window_frames;
  const bool may_be_last = pass.may_end_turn || pass.is_last_chance;
  const bool is_kept = may_be_last && pass.mel.frames < window_frames;
  auto window = runner.encode(is_kept ? MelWindow(pass.mel) : std::move(pass.mel));
  if (!window) return window.error();
  if (is_kept && (*window)->is_short()) {
    return hear_checked(runner, tokenizer, std::move(pass), *std::move(window), options, stop);
  }
  runner.count_window((*window)->is_short() ? WindowKind::shortened : WindowKind::full);
  return hear_encoded(runner, tokenizer, pass, *window, options, stop);
}

}  // namespace engine
