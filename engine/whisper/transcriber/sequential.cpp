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
#include "engine/whisper/transcriber/hearing.h"
#include "engine/whisper/transcriber/language.h"
#include "engine/whisper/transcriber/language_candidates.h"
#include "engine/whisper/transcriber/made_up.h"
#include "engine/whisper/transcriber/prompt_history.h"
#include "engine/whisper/transcriber/token_logprobs.h"
#include "engine/whisper/transcriber/trial_clips.h"
#include "engine/whisper/transcriber/window_check.h"
#include "engine/whisper/transcriber/window_encoder.h"
#include "engine/whisper/transcriber/window_options.h"
#include "engine/whisper/transcriber/window_segments.h"
#include "engine/whisper/transcriber/window_words.h"
#include "engine/whisper/words/window_end.h"

namespace engine {
namespace {

// The state of one recording on its way through the windows.
class Sequential {
 public:
  Sequential(Runner& runner, const Tokenizer& tokenizer, const MelSpool& spool,
             std::int64_t content_frames, const TranscriptionOptions& options,
             const TranscriptSink& sink, const Speech* speech)
      : runner_(runner),
        tokenizer_(tokenizer),
        spool_(spool),
        content_frames_(content_frames),
        encoder_(runner, spool, options),
        options_(options),
        sink_(sink),
        speech_(speech),
        hearing_(spool, content_frames, speech),
        made_up_(options, hearing_),
        history_(encode_prompt(tokenizer, options.hotwords),
                 encode_prompt(tokenizer, options.initial_prompt), options.carry_initial_prompt,
                 most_prompt_tokens(runner.dims())) {}

  // Finds the language to decode in, which decoding_ has from then on.
  Result<std::string> choose_language(const std::stop_token& stop) {
    const auto known = known_language();
    decoding_ = sequential_options(options_, tokenizer_, known.value_or("en"));
    if (known) return *known;
    const auto first_spoken =
        options_.fallback == Fallback::openai ? Result<std::int64_t>(0) : hearing_.first_spoken();
    if (!first_spoken) return first_spoken.error();
    const auto begin = next_window({0, content_frames_});
    if (!begin) return begin.error();
    const Clip content{*begin < content_frames_ ? *begin : 0, content_frames_};
    const auto windows = detection_windows(content, options_, speech_, *first_spoken);
    const auto heard = detect_languages(runner_, tokenizer_, encoder_, windows, options_);
    if (!heard) return heard.error();
    if (options_.language_only) {
      sink_(protocol::LikeliestLanguages{heard->likeliest});
      sink_(heard->likeliest.front());
      return heard->likeliest.front().language;
    }
    const auto detected = settle(*heard, content, stop);
    if (!detected) return detected.error();
    sink_(*detected);
    decoding_.language = detected->language;
    return detected->language;
  }

  // Returns where the next window of a part begins: with the part, or behind silence.
  Result<std::int64_t> next_window(Clip part) const {
    if (options_.vad_filter && speech_) part.begin = speech_->next_window(part);
    if (options_.fallback == Fallback::openai || !options_.no_speech_threshold) return part.begin;
    return hearing_.after_silence(part);
  }

  // Decodes the window of `frames` frames at `seek`; returns how many frames it has settled.
  Result<std::int64_t> transcribe_window(std::int64_t seek, std::int64_t frames,
                                         const std::stop_token& stop) {
    if (options_.no_speech_threshold) {
      const auto inaudible = spool_.is_inaudible(seek, static_cast<int>(frames));
      if (!inaudible) return inaudible.error();
      if (*inaudible) return frames;
    }
    auto window = encoder_.take({seek, seek + frames});
    if (!window) return window.error();
    if (options_.multilingual) {
      const auto followed = follow_language(*window, {seek, seek + frames});
      if (!followed) return followed.error();
    }
    const auto tries = decode(*window, {seek, seek + frames}, stop);
    if (!tries) return tries.error();
    if (is_silence(tries->last, options_)) {
      const auto end = end_of_silence({seek, seek + frames});
      if (!end || *end > seek) return end ? Result<std::int64_t>(*end - seek) : end;
    }

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
    const auto kept = keep_said(segments, {seek, seek + frames});
    if (!kept) return kept.error();
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

  // Lets the text decide, too, where the content is one window and its language is unsure.
  Result<protocol::LanguageDetected> settle(const HeardLanguages& heard, const Clip& content,
                                            const std::stop_token& stop) {
    const auto frames = static_cast<int>(content.end - content.begin);
    const bool one_window = frames <= window_frames && options_.clip_timestamps.empty();
    if (!one_window || options_.multilingual || options_.task != Task::transcribe ||
        !should_text_decide(heard, options_)) {
      return heard.likeliest.front();
    }
    const auto inaudible = spool_.is_inaudible(content.begin, frames);
    if (!inaudible) return inaudible.error();
    if (*inaudible) return heard.likeliest.front();
    const auto window = encoder_.hear(content);
    if (!window) return window.error();
    auto chosen = choose_by_text(runner_, tokenizer_, *window, heard.likeliest,
                                 decoding_at(content.begin), options_, stop);
    if (!chosen) return chosen.error();
    first_text_ = std::move(chosen->text);
    return chosen->language;
  }

  // Returns where to go on after a window that the model takes for silence: at its beginning, with
  // its text, if VAD hears speech there.
  Result<std::int64_t> end_of_silence(const Clip& window) const {
    if (options_.fallback == Fallback::openai) return window.end;
    const auto end = hearing_.after_pause(window);
    if (!end || *end < window.end) return end;
    return hearing_.is_spoken(window) ? window.begin : window.end;
  }

  // Samples depend on the place in the recording, not on what else is decoded.
  DecodingOptions decoding_at(std::int64_t seek) {
    decoding_.prompt = history_.prompt();
    decoding_.seed =
        options_.seed + static_cast<std::uint64_t>(seek) * options_.temperatures.size();
    return decoding_;
  }

  // Earlier text in another language would draw the window back into that one. Where nobody speaks
  // no other language is heard.
  Result<void> follow_language(const EncodedWindow& window, const Clip& place) {
    const auto silent = hearing_.is_silent(place);
    if (!silent) return silent.error();
    if (*silent) return {};
    const auto heard = detect_language(runner_, tokenizer_, window, options_.languages);
    if (!heard) return heard.error();
    const bool sure = heard->probability > options_.language_detection_threshold;
    if (!sure || heard->language == decoding_.language) return {};
    decoding_.language = heard->language;
    history_.reset();
    return {};
  }

  // Decodes a window. If the first text of a short window is doubtful, the window is encoded in
  // full and decoded again.
  Result<WindowTries> decode(EncodedWindow& window, const Clip& place,
                             const std::stop_token& stop) {
    const DecodingOptions decoding = decoding_at(place.begin);
    auto first = std::exchange(first_text_, std::nullopt);
    kind_ = window->is_short() ? WindowKind::shortened : WindowKind::full;
    if (window->is_short()) {
      if (!first) {
        auto made = decode_first(runner_, tokenizer_, window, decoding, options_, stop);
        if (!made) return made.error();
        first = *std::move(made);
      }
      const auto doubtful = is_doubtful(*first, tokenizer_, hearing_, place, options_);
      if (!doubtful) return doubtful.error();
      if (*doubtful) {
        first.reset();
        window.reset();
        auto full = encoder_.take_full(place);
        if (!full) return full.error();
        window = *std::move(full);
        kind_ = WindowKind::checked;
      }
    }
    runner_.count_window(kind_);
    auto tries = decode_with_fallback(runner_, tokenizer_, window, decoding, options_, stop,
                                      std::move(first));
    if (!tries) return tries;
    const auto given = give_to_trial(options_, spool_, hearing_, {place, kind_, decoding, *tries});
    if (!given) return given.error();
    return tries;
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
      segment.encoder_window = kind_;
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

  // Drops made-up segments and puts others where their sound is, but not for fallback openai.
  Result<void> keep_said(std::vector<Segment>& segments, const Clip& window) {
    if (options_.fallback == Fallback::openai) return {};
    const bool is_last = window.end >= content_frames_;
    const auto removed = made_up_.remove_from(segments, window, is_last);
    if (!removed) return removed.error();
    if (const auto moved = hearing_.move_to_sound(segments); !moved) return moved;
    if (!options_.vad_filter || !speech_ || options_.word_timestamps) return {};
    for (Segment& segment : segments) move_to_speech(segment, *speech_);
    return {};
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
  const Speech* speech_;  // may be null
  Hearing hearing_;
  MadeUp made_up_;
  PromptHistory history_;
  DecodingOptions decoding_;
  std::optional<DecodingResult> first_text_;  // of the first window, where detection has decoded it
  WindowKind kind_ = WindowKind::full;        // of the window that was decoded last
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
  Sequential transcription(runner, tokenizer, spool, content_frames, options, sink, speech);
  const auto language = transcription.choose_language(stop);
  if (!language || options.language_only) return language;

  for (const Clip& clip : *clips) {
    std::int64_t seek = clip.begin;
    while (seek < clip.end) {
      const auto begin = transcription.next_window({seek, clip.end});
      if (!begin) return begin.error();
      seek = *begin;
      const auto frames = std::min<std::int64_t>(window_frames, clip.end - seek);
      if (frames > 0) {
        const auto settled = transcription.transcribe_window(seek, frames, stop);
        if (!settled) return settled.error();
        seek += *settled;
      }
      sink(progress_at(std::min(seek, clip.end), content_frames));
    }
  }
  return *language;
}

}  // namespace engine
