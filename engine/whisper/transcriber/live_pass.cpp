#include "engine/whisper/transcriber/live_pass.h"

#include <algorithm>
#include <utility>

#include "engine/whisper/transcriber/fallback.h"
#include "engine/whisper/transcriber/language.h"
#include "engine/whisper/transcriber/window_options.h"
#include "engine/whisper/transcriber/window_segments.h"
#include "engine/whisper/transcriber/window_words.h"

namespace engine {
namespace {

// The limit is more tokens than anybody speaks; a loop in a short buffer ends the sooner.
int most_tokens(const LivePass& pass, const TranscriptionOptions& options, int n_text_ctx) {
  constexpr int at_once = 32;
  constexpr int per_second = 16;
  const auto spoken = at_once + per_second * static_cast<int>(pass.place.frames) / 100;
  return std::min(spoken, options.sample_len.value_or(n_text_ctx / 2));
}

DecodingOptions live_decoding_options(const LivePass& pass, const std::string& language,
                                      const TranscriptionOptions& options,
                                      const Tokenizer& tokenizer, int n_text_ctx) {
  DecodingOptions decoding = window_options(options, tokenizer, language);
  decoding.sample_len = most_tokens(pass, options, n_text_ctx);
  decoding.prompt = pass.prompt;
  decoding.seed = options.seed + static_cast<std::uint64_t>(pass.place.seek) * 8;
  return decoding;
}

// Returns the segments, and what the sequential loop would leave to its next window: text behind
// the last timestamp.
WindowSegments parts_of(const DecodingResult& result, int timestamp_begin, std::int64_t frames) {
  auto split = split_window(result.tokens, timestamp_begin, frames);
  std::size_t taken = 0;
  for (const TimedTokens& part : split.segments) taken += part.tokens.size();
  if (taken < result.tokens.size()) {
    split.segments.push_back(
        {split.segments.back().end,
         static_cast<double>(frames) / 100,
         {result.tokens.begin() + static_cast<std::ptrdiff_t>(taken), result.tokens.end()}});
  }
  return split;
}

// The last segment may go on in sound that is still to come.
std::vector<HeardWord> heard_words(std::vector<SegmentWords> segments) {
  std::vector<HeardWord> heard;
  for (SegmentWords& segment : segments) {
    for (AlignedWord& word : segment.words) heard.push_back({std::move(word), false});
    if (!heard.empty() && &segment != &segments.back()) heard.back().ends_segment = true;
  }
  return heard;
}

}  // namespace

Result<HeardWindow> hear_window(Runner& runner, const Tokenizer& tokenizer, const LivePass& pass,
                                const TranscriptionOptions& options, const std::stop_token& stop) {
  const auto window = runner.encode(pass.mel);
  if (!window) return window.error();
  HeardWindow heard;
  heard.language = pass.language;
  if (heard.language.empty()) {
    auto detected = detect_language(runner, tokenizer, *window, options.languages);
    if (!detected) return detected.error();
    heard.language = std::move(detected->language);
    heard.language_probability = detected->probability;
  }

  TranscriptionOptions tries = options;
  if (!pass.is_last_chance) tries.temperatures.resize(1);
  const auto decoding =
      live_decoding_options(pass, heard.language, options, tokenizer, runner.dims().n_text_ctx);
  auto result = decode_with_fallback(runner, tokenizer, *window, decoding, tries, stop);
  if (!result) return result.error();
  heard.result = std::move(result->chosen);
  if (!pass.is_last_chance && needs_fallback(heard.result, options)) return heard;
  heard.end = static_cast<double>(pass.place.seek + pass.place.frames) / 100;
  if (is_silence(result->last, options)) {
    heard.words.emplace();
    return heard;
  }
  auto parts = parts_of(heard.result, tokenizer.timestamp_begin(), pass.place.frames);
  heard.end = static_cast<double>(pass.place.seek + parts.advance) / 100;
  auto segments = words_of_window(runner, tokenizer,
                                  {*window, pass.place, heard.language, pass.last_speech_end},
                                  std::move(parts.segments), options);
  if (!segments) return segments.error();
  heard.words = heard_words(*std::move(segments));
  return heard;
}

}  // namespace engine
