#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/whisper/decoding/decoding_options.h"
#include "engine/whisper/transcriber/live_align.h"
#include "engine/whisper/transcriber/live_segments.h"
#include "engine/whisper/transcriber/transcription_options.h"
#include "protocol/live_events.h"

namespace engine {

// Tells the sink what was decided. Of a session it tells words and turns; of a recording, which
// `options.live_chunk` says it is, segments that are made of the words. Both have a LiveText.
class LiveOutput {
 public:
  // Both must outlive it.
  LiveOutput(const TranscriptionOptions& options, const TranscriptSink& sink)
      : options_(options), sink_(sink) {}

  void begin_turn(int turn);
  // Takes words that were committed.
  //   decoded: what they were decoded to; seek: where from, in frames
  //   has_segments: false where end_turn() will tell of which segments they are
  void add(std::span<const HeardWord> words, const DecodingResult& decoded, std::int64_t seek,
           bool has_segments);
  // Tells how far the sound was heard, and what may be said behind the words.
  void look(double heard_s, std::string tail);
  // Takes the turn's end with its text and words. `seen`, where it is set, are its segments.
  void end_turn(const protocol::TurnEnded& ended, const std::optional<std::vector<Segment>>& seen);
  // Forgets the words of the turn that are not in a segment yet.
  void drop_turn();

  void tell(const protocol::LanguageDetected& language) { sink_(language); }
  // Returns how far the sound was heard when that was told last.
  double heard_s() const { return heard_s_; }

 private:
  bool is_recording() const { return options_.live_chunk.has_value(); }
  void emit(const std::vector<AlignedWord>& words);
  void emit(Segment segment);

  const TranscriptionOptions& options_;
  const TranscriptSink& sink_;
  LiveSegments segments_;
  std::string text_;  // of the turn's words that are in no segment
  DecodingResult decoded_;
  std::int64_t seek_ = 0;
  int turn_ = 0;
  int next_id_ = 0;
  double heard_s_ = 0;
};

// Returns the words as they are told: signs belong to the words beside them, where those are there.
std::vector<AlignedWord> with_signs(std::vector<AlignedWord> words,
                                    const TranscriptionOptions& options);

}  // namespace engine
