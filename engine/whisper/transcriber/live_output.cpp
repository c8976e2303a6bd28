#include "engine/whisper/transcriber/live_output.h"

#include <utility>

#include "engine/whisper/words/merge_punctuations.h"

namespace engine {

std::vector<AlignedWord> with_signs(std::vector<AlignedWord> words,
                                    const TranscriptionOptions& options) {
  merge_punctuations(words, {options.prepend_punctuations, options.append_punctuations});
  std::erase_if(words, [](const AlignedWord& word) { return word.word.empty(); });
  for (AlignedWord& word : words) word.text_tokens = static_cast<int>(word.tokens.size());
  return words;
}

void LiveOutput::begin_turn(int turn) {
  turn_ = turn;
  text_.clear();
}

void LiveOutput::add(std::span<const HeardWord> words, const DecodingResult& decoded,
                     std::int64_t seek, bool has_segments) {
  if (words.empty()) return;
  decoded_ = decoded;
  seek_ = seek;
  if (is_recording() && has_segments) {
    for (const HeardWord& heard : words) emit(segments_.add(heard.word));
    return;
  }
  text_ += text_of(words);
  if (is_recording()) return;
  std::vector<AlignedWord> told;
  for (const HeardWord& heard : words) told.push_back(heard.word);
  told = with_signs(std::move(told), options_);
  sink_(protocol::LiveWords{turn_, {told.begin(), told.end()}});
}

void LiveOutput::look(double heard_s, std::string tail) {
  heard_s_ = heard_s;
  sink_(protocol::LiveText{heard_s, segments_.text() + text_, std::move(tail)});
}

void LiveOutput::end_turn(const protocol::TurnEnded& ended,
                          const std::optional<std::vector<Segment>>& seen) {
  text_.clear();
  if (!is_recording()) {
    sink_(ended);
  } else if (seen) {
    for (const Segment& segment : *seen) emit(segment);
  } else {
    emit(segments_.take());
  }
}

void LiveOutput::drop_turn() {
  text_.clear();
  segments_.take();
}

void LiveOutput::emit(const std::vector<AlignedWord>& words) {
  if (words.empty()) return;
  Segment segment;
  segment.seek = seek_;
  segment.start = words.front().start;
  segment.end = words.back().end;
  for (const AlignedWord& word : words) {
    segment.text += word.word;
    segment.tokens.insert(segment.tokens.end(), word.tokens.begin(), word.tokens.end());
  }
  segment.temperature = decoded_.temperature;
  segment.avg_logprob = decoded_.avg_logprob;
  segment.compression_ratio = decoded_.compression_ratio;
  segment.no_speech_prob = decoded_.no_speech_prob;
  const auto told = with_signs(words, options_);
  segment.words.assign(told.begin(), told.end());
  emit(std::move(segment));
}

void LiveOutput::emit(Segment segment) {
  segment.id = next_id_++;
  if (!options_.word_timestamps) segment.words.clear();
  sink_(segment);
}

}  // namespace engine
