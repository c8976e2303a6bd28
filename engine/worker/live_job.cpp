#include "engine/worker/live_job.h"

#include <utility>

#include "engine/whisper/transcriber/live.h"
#include "engine/worker/pcm_pipe.h"
#include "engine/worker/segment_message.h"

namespace engine {

using namespace protocol::worker;  // the messages

Result<void> transcribe_live_job(const std::string& job, const platform::UniqueFd& pcm,
                                 Runner& runner, const Tokenizer& tokenizer,
                                 const TranscriptionOptions& options, const SendMessage& send,
                                 const std::stop_token& stop, Done& done) {
  LiveEvents events;
  events.language_detected = [&](const std::string& code, double probability) {
    send(LanguageDetected{job, code, probability});
  };
  events.segment = [&](const Segment& segment) {
    send(SegmentDecided{job, segment_message(segment)});
  };
  events.partial = [&](double heard_s, const std::string& text, const std::string& tail) {
    send(Partial{job, {heard_s, text, tail}});
  };
  const ReadSound read = [&](std::span<float> samples, std::size_t least) {
    return read_samples(pcm.get(), samples, least, stop);
  };
  auto result = transcribe_live(runner, tokenizer, read, options, events, stop);
  if (!result) return result.error();
  done.language = std::move(result->language);
  done.duration_s = result->duration_s;
  return {};
}

}  // namespace engine
