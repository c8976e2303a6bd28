#include "engine/whisper/transcriber/sequential.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "engine/whisper/constants.h"
#include "engine/whisper/decoding/strip.h"
#include "engine/whisper/transcriber/clips.h"
#include "engine/whisper/transcriber/fallback.h"
#include "engine/whisper/transcriber/language.h"
#include "engine/whisper/transcriber/language_candidates.h"
#include "engine/whisper/transcriber/prompt_history.h"
#include "engine/whisper/transcriber/token_logprobs.h"
#include "engine/whisper/transcriber/window_encoder.h"
#include "engine/whisper/transcriber/window_options.h"
#include "engine/whisper/transcriber/window_segments.h"
#include "engine/whisper/transcriber/window_words.h"
#include "engine/whisper/words/window_end.h"

namespace engine {
namespace {

DecodingOptions decoding_options(const TranscriptionOptions& options, const Tokenizer& tokenizer,
                                 const std::string& language) {
  DecodingOptions decoding = window_options(options, tokenizer, language);
  decoding.sample_len = options.sample_len;
  decoding.beam_size = std::max(1, options.beam_size);
  decoding.patience = options.patience;
  decoding.length_penalty = options.length_penalty;
  decoding.prefix = encode_prompt(tokenizer, options.prefix);
  decoding.without_timestamps = options.without_timestamps;
  return decoding;
}

// The state of one recording on its way through the windows.
class Sequential {
 public:
  Sequential(Runner& runner, const Tokenizer& tokenizer, const MelSpool& spool,
             std::int64_t content_frames, const TranscriptionOptions& options,
             const TranscriptSink& sink)
      : runner_(runner),
        tokenizer_(tokenizer),
        spool_(spool),
        content_frames_(content_frames),
        encoder_(runner, spool),
        options_(options),
        sink_(sink),
        history_(encode_prompt(tokenizer, options.hotwords),
                 encode_prompt(tokenizer, options.initial_prompt), options.carry_initial_prompt,
                 static_cast<std::size_t>(runner.dims().n_text_ctx / 2 - 1)) {}

  // Finds the language to decode in, which decoding_ has from then on.
  Result<std::string> choose_language(const Speech* speech, const std::stop_token& stop) {
    const auto known = known_language();
    decoding_ = decoding_options(options_, tokenizer_, known.value_or("en"));
    if (known) return *known;
    const auto windows = detection_windows(content_frames_, options_, speech);
    const auto heard = detect_languages(runner_, tokenizer_, encoder_, windows, options_);
    if (!heard) return heard.error();
    if (options_.language_only) {
      sink_(protocol::LikeliestLanguages{heard->likeliest});
      sink_(heard->likeliest.front());
      return heard->likeliest.front().language;
    }
    const auto detected = settle(*heard, stop);
    if (!detected) return detected.error();
    sink_(*detected);
    decoding_.language = detected->language;
    return detected->language;
  }

  // Decodes the window of `frames` frames at `seek`; returns how many frames it has settled.
  Result<std::int64_t> transcribe_window(std::int64_t seek, std::int64_t frames,
                                         const std::stop_token& stop) {
    if (options_.no_speech_threshold) {
      const auto inaudible = spool_.is_inaudible(seek, static_cast<int>(frames));
      if (!inaudible) return inaudible.error();
      if (*inaudible) return frames;
    }
    const auto window = encoder_.take({seek, seek + frames});
    if (!window) return window.error();
    if (options_.multilingual) {
      const auto followed = follow_language(*window);
      if (!followed) return followed.error();
    }
    const auto tries =
        decode_with_fallback(runner_, tokenizer_, *window, decoding_at(seek), options_, stop,
                             std::exchange(first_text_, std::nullopt));
    if (!tries) return tries.error();
    if (is_silence(tries->last, options_)) return frames;

    const DecodingResult& result = tries->chosen;
    const WindowSegments split = split_window(result.tokens, tokenizer_.timestamp_begin(), frames);
    std::vector<Segment> segments = segments_of(split, seek, result);
    std::int64_t settled = split.advance;
    if (options_.word_timestamps) {
      const auto end = add_words(*window, {seek, frames, content_frames_}, split, segments);
      if (!end) return end.error();
      settled = end->seek - seek;
      if (end->discarded) return settled;
    }
    for (Segment& segment : segments) emit(segment);
    const bool reliable = tries->last.temperature <= 0.5 && !result.looping;
    if (!options_.condition_on_previous_text || !reliable) history_.reset();
    return settled;
  }

 private:
  std::optional<std::string> known_language() const {
    if (!tokenizer_.multilingual()) return "en";
    return options_.language.empty() ? std::nullopt : std::optional(options_.language);
  }

  // Lets the text of a recording of one window decide, too, where its language is unsure.
  Result<protocol::LanguageDetected> settle(const HeardLanguages& heard,
                                            const std::stop_token& stop) {
    const bool one_window = content_frames_ <= window_frames && options_.clip_timestamps.empty();
    if (!one_window || options_.multilingual || options_.task != Task::transcribe ||
        !should_text_decide(heard, options_)) {
      return heard.likeliest.front();
    }
    const auto inaudible = spool_.is_inaudible(0, static_cast<int>(content_frames_));
    if (!inaudible) return inaudible.error();
    if (*inaudible) return heard.likeliest.front();
    const auto window = encoder_.hear({0, content_frames_});
    if (!window) return window.error();
    auto chosen = choose_by_text(runner_, tokenizer_, *window, heard.likeliest, decoding_at(0),
                                 options_, stop);
    if (!chosen) return chosen.error();
    first_text_ = std::move(chosen->text);
    return chosen->language;
  }

  // Samples depend on the place in the recording, not on what else is decoded.
  DecodingOptions decoding_at(std::int64_t seek) {
    decoding_.prompt = history_.prompt();
    decoding_.seed =
        options_.seed + static_cast<std::uint64_t>(seek) * options_.temperatures.size();
    return decoding_;
  }

  // Earlier text in another language would draw the window back into that one.
  Result<void> follow_language(const EncodedWindow& window) {
    const auto heard = detect_language(runner_, tokenizer_, window, options_.languages);
    if (!heard) return heard.error();
    const bool sure = heard->probability > options_.language_detection_threshold;
    if (!sure || heard->language == decoding_.language) return {};
    decoding_.language = heard->language;
    history_.reset();
    return {};
  }

  std::vector<Segment> segments_of(const WindowSegments& split, std::int64_t seek,
                                   const DecodingResult& result) const {
    const double offset = static_cast<double>(seek) / 100;
    std::vector<Segment> segments;
    std::span<const float> logprobs = result.logprobs;  // from the part's first token on
    for (const TimedTokens& part : split.segments) {
      Segment segment;
      segment.seek = seek;
      segment.start = offset + part.start;
      segment.end = offset + part.end;
      segment.text = tokenizer_.decode(part.tokens);
      segment.tokens = part.tokens;
      segment.temperature = result.temperature;
      segment.avg_logprob = result.avg_logprob;
      segment.compression_ratio = result.compression_ratio;
      segment.no_speech_prob = result.no_speech_prob;
      if (options_.multilingual) segment.language = decoding_.language;
      if (options_.token_logprobs) {
        segment.token_logprobs = token_logprobs(tokenizer_, part.tokens, logprobs);
      }
      logprobs = logprobs.subspan(part.tokens.size());
      segments.push_back(std::move(segment));
    }
    return segments;
  }

  // Gives the segments their words and the times that follow from them, and drops those that are
  // made up.
  Result<WindowEnd> add_words(const EncodedWindow& window, const WindowPlace& place,
                              const WindowSegments& split, std::vector<Segment>& segments) {
    auto timed =
        words_of_window(runner_, tokenizer_, {window, place, decoding_.language, last_speech_end_},
                        split.segments, options_);
    if (!timed) return timed.error();
    const WindowEnd end =
        end_window(*timed, place, {place.seek + split.advance, split.silence_until_end},
                   last_speech_end_, options_.hallucination_silence_threshold);
    if (end.discarded) return end;
    timed->resize(end.kept);
    segments.resize(end.kept);
    if (const auto speech_end = end_of_speech(*timed)) last_speech_end_ = *speech_end;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      segments[i].start = (*timed)[i].start;
      segments[i].end = (*timed)[i].end;
      auto& words = (*timed)[i].words;
      segments[i].words.assign(std::make_move_iterator(words.begin()),
                               std::make_move_iterator(words.end()));
    }
    return end;
  }

  void emit(Segment& segment) {
    segment.id = next_id_++;
    // A segment without a length or a text stays, but empty.
    if (segment.start == segment.end || strip(segment.text).empty()) {
      segment.text.clear();
      segment.tokens.clear();
      segment.words.clear();
      segment.token_logprobs.clear();
    }
    history_.add(segment.tokens);
    sink_(segment);
  }

  Runner& runner_;
  const Tokenizer& tokenizer_;
  const MelSpool& spool_;
  std::int64_t content_frames_;
  WindowEncoder encoder_;
  const TranscriptionOptions& options_;
  const TranscriptSink& sink_;
  PromptHistory history_;
  DecodingOptions decoding_;
  std::optional<DecodingResult> first_text_;  // of the first window, where detection has decoded it
  int next_id_ = 0;
  double last_speech_end_ = 0;  // seconds
};

}  // namespace

protocol::Progress progress_at(std::int64_t frame, std::int64_t content_frames) {
  return {.position_s = static_cast<double>(frame) / 100,
          .duration_s = static_cast<double>(content_frames) / 100};
}

Result<std::string> transcribe_sequential(Runner& runner, const Tokenizer& tokenizer,
                                          const MelSpool& spool, std::int64_t content_frames,
                                          const TranscriptionOptions& options,
                                          const TranscriptSink& sink, const std::stop_token& stop,
                                          const Speech* speech) {
  const auto clips = clips_of(options.clip_timestamps, content_frames);
  if (!clips) return clips.error();
  Sequential transcription(runner, tokenizer, spool, content_frames, options, sink);
  const auto language = transcription.choose_language(speech, stop);
  if (!language || options.language_only) return language;

  for (const Clip& clip : *clips) {
    std::int64_t seek = clip.begin;
    while (seek < clip.end) {
      const auto frames = std::min<std::int64_t>(window_frames, clip.end - seek);
      const bool silent = speech && !speech->any_in({seek, seek + frames});
      const auto settled = silent ? frames : transcription.transcribe_window(seek, frames, stop);
      if (!settled) return settled.error();
      seek += *settled;
      sink(progress_at(std::min(seek, clip.end), content_frames));
    }
  }
  return *language;
}

}  // namespace engine
