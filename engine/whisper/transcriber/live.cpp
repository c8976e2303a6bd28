#include "engine/whisper/transcriber/live.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/audio/sample_rate.h"
#include "engine/whisper/transcriber/language.h"
#include "engine/whisper/transcriber/live_buffer.h"
#include "engine/whisper/transcriber/live_pass.h"
#include "engine/whisper/transcriber/live_segments.h"
#include "engine/whisper/transcriber/live_words.h"
#include "engine/whisper/transcriber/prompt_history.h"
#include "engine/whisper/transcriber/window_options.h"

namespace engine {
namespace {

// So much is taken in at once where the sound comes faster, or the passes slower, than it is
// spoken. A buffer that is not cut below force_above_s (live_cut.h) has room for it.
constexpr std::size_t most_read = std::size_t{10} * sample_rate_hz;
// A language is not settled by less than this.
constexpr double language_s = 5;
// A shorter rest of the sound has no words of its own; a decoder that hears nothing else makes some
// up.
constexpr double least_rest_s = 1;

class Live {
 public:
  Live(Runner& runner, const Tokenizer& tokenizer, const TranscriptionOptions& options,
       const TranscriptSink& sink, const std::stop_token& stop)
      : runner_(runner),
        tokenizer_(tokenizer),
        options_(options),
        sink_(sink),
        stop_(stop),
        buffer_(runner.dims().n_mels),
        history_(encode_prompt(tokenizer, options.hotwords),
                 encode_prompt(tokenizer, options.initial_prompt), options.carry_initial_prompt,
                 static_cast<std::size_t>(runner.dims().n_text_ctx / 2 - 1)),
        language_(tokenizer.multilingual() ? options.language : "en") {}

  Result<void> take(std::span<const float> samples, bool at_end) {
    buffer_.append(samples);
    const bool anything_new = !samples.empty() || last_pass_failed_;
    if (anything_new && buffer_.frames() > 0) {
      if (auto heard = pass(at_end); !heard) return heard;
    }
    if (at_end) {
      if (auto heard = hear_rest(); !heard) return heard;
      commit(words_.commit_until(buffer_.span().end + 1));
      emit(segments_.take());
      settle_language();
    } else {
      leave_behind();
    }
    sink_(protocol::LiveText{buffer_.span().end, segments_.text(), text_of(words_.unsure())});
    return {};
  }

  std::size_t room() const { return buffer_.room(); }
  Recognized result() const { return {language_, buffer_.span().end}; }

 private:
  Result<void> pass(bool at_end) {
    const LiveSpan span = buffer_.span();
    const bool is_last_chance = at_end || span.length() > cut_above_s;
    auto heard = hear_window(
        runner_, tokenizer_,
        {buffer_.encoder_input(),
         {buffer_.first_frame(), buffer_.frames(), buffer_.first_frame() + buffer_.frames()},
         language_,
         history_.prompt(),
         words_.committed_end(),
         is_last_chance},
        options_, stop_);
    if (!heard) return heard.error();
    last_pass_failed_ = !heard->words;
    if (!heard->words) return {};
    heard_end_ = heard->end;
    result_ = std::move(heard->result);
    detected_ = {heard->language, heard->language_probability};
    const bool may_commit = !language_.empty() || at_end || span.end >= language_s;
    if (!may_commit) words_ = LiveWords();
    commit(words_.hear(*std::move(heard->words)));
    return {};
  }

  // Sound behind the last complete segment is decoded by itself, as the loop of windows of a
  // whole recording does: a decoder that ended early has not heard it.
  Result<void> hear_rest() {
    while (heard_end_ > buffer_.span().begin && heard_end_ + least_rest_s < buffer_.span().end) {
      commit(words_.commit_until(heard_end_));
      leave_behind(heard_end_);
      if (auto heard = pass(/*at_end=*/true); !heard) return heard;
    }
    return {};
  }

  void settle_language() {
    if (!language_.empty() || detected_.language.empty()) return;
    language_ = detected_.language;
    sink_(detected_);
  }

  // The last `count` committed words are new.
  void commit(std::size_t count) {
    if (count > 0) settle_language();
    const std::span<const HeardWord> committed = words_.committed();
    for (const HeardWord& heard : committed.last(count)) emit(segments_.add(heard));
  }

  void emit(std::vector<AlignedWord> words) {
    if (words.empty()) return;
    Segment segment;
    segment.id = next_id_++;
    segment.seek = buffer_.first_frame();
    segment.start = words.front().start;
    segment.end = words.back().end;
    for (const AlignedWord& word : words) {
      segment.text += word.word;
      segment.tokens.insert(segment.tokens.end(), word.tokens.begin(), word.tokens.end());
    }
    segment.temperature = result_.temperature;
    segment.avg_logprob = result_.avg_logprob;
    segment.compression_ratio = result_.compression_ratio;
    segment.no_speech_prob = result_.no_speech_prob;
    if (options_.word_timestamps) segment.words.assign(words.begin(), words.end());
    sink_(segment);
  }

  void leave_behind() {
    const LiveSpan span = buffer_.span();
    if (span.length() > force_above_s) commit(words_.commit_until(span.end - kept_s));
    const double cut = live_cut(span, words_.committed(), words_.unsure());
    if (cut > span.begin) leave_behind(cut);
  }

  void leave_behind(double cut) {
    buffer_.cut(cut);
    for (const HeardWord& left : words_.leave_behind(cut)) {
      if (options_.condition_on_previous_text) history_.add(left.word.tokens);
    }
  }

  Runner& runner_;
  const Tokenizer& tokenizer_;
  const TranscriptionOptions& options_;
  const TranscriptSink& sink_;
  const std::stop_token& stop_;
  LiveBuffer buffer_;
  LiveWords words_;
  LiveSegments segments_;
  PromptHistory history_;
  std::string language_;                 // empty until it is settled
  protocol::LanguageDetected detected_;  // by the latest pass that did not fail
  DecodingResult result_;                // of that pass
  double heard_end_ = 0;                 // of that pass, see HeardWindow
  bool last_pass_failed_ = false;
  int next_id_ = 0;
};

}  // namespace

Result<Recognized> transcribe_live(Runner& runner, const Tokenizer& tokenizer,
                                   const ReadSound& read, const TranscriptionOptions& options,
                                   const TranscriptSink& sink, const std::stop_token& stop) {
  Live live(runner, tokenizer, options, sink, stop);
  const double chunk_s = options.live_chunk.value_or(1);
  const auto chunk = static_cast<std::size_t>(std::llrint(chunk_s * sample_rate_hz));
  std::vector<float> samples(most_read);
  for (bool at_end = false; !at_end;) {
    const auto most = std::min(most_read, live.room());
    const std::size_t least = std::min(chunk, most);
    const auto count = read(std::span(samples).first(most), least);
    if (!count) return count.error();
    at_end = *count < least;
    const auto taken = live.take(std::span(samples).first(*count), at_end);
    if (!taken) return taken.error();
  }
  return live.result();
}

}  // namespace engine
