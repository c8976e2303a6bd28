#include "engine/whisper/transcriber/live_second_look.h"

#include <utility>

#include "engine/audio/sample_rate.h"
#include "engine/whisper/transcriber/sequential.h"

namespace engine {
namespace {

Segment later(Segment segment, std::int64_t samples) {
  const double seconds = static_cast<double>(samples) / sample_rate_hz;
  segment.seek += samples / hop_length;
  segment.start += seconds;
  segment.end += seconds;
  for (protocol::Word& word : segment.words) {
    word.start += seconds;
    word.end += seconds;
  }
  return segment;
}

}  // namespace

Result<SecondLook> SecondLook::begin(int n_mels) {
  auto spool = MelSpool::create(n_mels);
  if (!spool) return spool.error();
  return SecondLook(MelListener(n_mels, *std::move(spool)));
}

Result<std::vector<Segment>> SecondLook::transcribe(Runner& runner, const Tokenizer& tokenizer,
                                                    const Context& context,
                                                    TranscriptionOptions options,
                                                    const std::stop_token& stop) {
  if (const auto heard = mel_.finish(); !heard) return heard.error();
  options.live_chunk.reset();
  options.word_timestamps = true;
  options.language = context.language;
  std::vector<Segment> segments;
  const TranscriptSink keep = [&](const TranscriptEvent& event) {
    const auto* segment = std::get_if<Segment>(&event);
    if (segment && !segment->text.empty()) segments.push_back(later(*segment, context.begin));
  };
  const auto language = transcribe_sequential(runner, tokenizer, mel_.spool(),
                                              mel_.content_frames(), options, keep, stop);
  if (!language) return language.error();
  return segments;
}

}  // namespace engine
