#include "engine/whisper/transcriber/parallel.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/whisper/constants.h"
#include "engine/whisper/transcriber/in_order.h"
#include "engine/whisper/transcriber/language.h"

namespace engine {
namespace {

class Parallel {
 public:
  Parallel(Runner& runner, const Tokenizer& tokenizer, const MelSpool& spool,
           std::int64_t content_frames, const Speech& speech, TranscriptionOptions options)
      : runner_(runner),
        tokenizer_(tokenizer),
        spool_(spool),
        content_frames_(content_frames),
        speech_(speech),
        options_(std::move(options)) {}

  // Detects the language in the first windows, which have speech.
  Result<std::string> choose_language(std::span<const Clip> windows, const TranscriptSink& sink) {
    if (!tokenizer_.multilingual()) return std::string("en");
    if (!options_.language.empty()) return options_.language;
    constexpr Clip beginning{0, window_frames};
    const auto most = static_cast<std::size_t>(options_.language_detection_segments);
    const auto heard =
        windows.empty() ? std::span(&beginning, 1) : windows.first(std::min(most, windows.size()));
    WindowEncoder encoder(runner_, spool_, options_);
    const auto languages = detect_languages(runner_, tokenizer_, encoder, heard, options_);
    if (!languages) return languages.error();
    const protocol::LanguageDetected& detected = languages->likeliest.front();
    sink(detected);
    options_.language = detected.language;
    return detected.language;
  }

  // Returns the segments of a window, in order. Any thread may call it.
  Result<std::vector<Segment>> transcribe(const Clip& window, const std::stop_token& stop) const {
    auto segments = transcribe_clip(window, stop);
    if (!segments) return segments;
    const auto unheard = speech_.unheard_in(window, *segments);
    for (const Clip& clip : unheard) {
      auto more = transcribe_clip(clip, stop);
      if (!more) return more;
      std::move(more->begin(), more->end(), std::back_inserter(*segments));
    }
    std::stable_sort(segments->begin(), segments->end(),
                     [](const Segment& a, const Segment& b) { return a.start < b.start; });
    return segments;
  }

 private:
  Result<std::vector<Segment>> transcribe_clip(const Clip& clip,
                                               const std::stop_token& stop) const {
    TranscriptionOptions options = options_;
    options.clip_timestamps = {static_cast<double>(clip.begin) / 100,
                               static_cast<double>(clip.end) / 100};
    std::vector<Segment> segments;
    const TranscriptSink sink = [&](const TranscriptEvent& event) {
      const auto* segment = std::get_if<Segment>(&event);
      // The model may go on into the silence behind the clip, mostly by repeating itself.
      const bool is_within = segment && segment->start * 100 < static_cast<double>(clip.end);
      if (is_within) segments.push_back(*segment);
    };
    const auto language = transcribe_sequential(runner_, tokenizer_, spool_, content_frames_,
                                                options, sink, stop, &speech_);
    if (!language) return language.error();
    return segments;
  }

  Runner& runner_;
  const Tokenizer& tokenizer_;
  const MelSpool& spool_;
  std::int64_t content_frames_;
  const Speech& speech_;
  TranscriptionOptions options_;
};

}  // namespace

Result<std::string> transcribe_parallel(Runner& runner, const Tokenizer& tokenizer,
                                        const MelSpool& spool, std::int64_t content_frames,
                                        const Speech& speech, const TranscriptionOptions& options,
                                        const TranscriptSink& sink, const std::stop_token& stop) {
  if (content_frames <= window_frames) {
    return transcribe_sequential(runner, tokenizer, spool, content_frames, options, sink, stop,
                                 &speech);
  }
  const auto clips = clips_of(options.clip_timestamps, content_frames);
  if (!clips) return clips.error();
  std::vector<Clip> windows;
  for (const Clip& clip : *clips) {
    std::ranges::move(speech.windows_of(clip), std::back_inserter(windows));
  }
  Parallel transcription(runner, tokenizer, spool, content_frames, speech, options);
  const auto language = transcription.choose_language(windows, sink);
  if (!language) return language.error();

  int next_id = 0;
  const auto done = run_in_order(
      windows.size(), static_cast<std::size_t>(runner.windows_at_once()), stop,
      [&](std::size_t index, const std::stop_token& inner) {
        return transcription.transcribe(windows[index], inner);
      },
      [&](std::size_t index, std::vector<Segment> segments) {
        for (Segment& segment : segments) {
          segment.id = next_id++;
          sink(segment);
        }
        sink(progress_at(windows[index].end, content_frames));
      });
  if (!done) return done.error();
  return *language;
}

}  // namespace engine
