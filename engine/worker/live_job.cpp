#include "engine/worker/live_job.h"

#include <utility>

#include "engine/whisper/transcriber/live.h"
#include "engine/worker/pcm_pipe.h"

namespace engine {

using namespace protocol::worker;  // the messages

Result<void> transcribe_live_job(const std::string& job, const platform::UniqueFd& pcm,
                                 Runner& runner, const Tokenizer& tokenizer,
                                 const TranscriptionOptions& options, const SendMessage& send,
                                 const std::stop_token& stop, Done& done) {
  const TranscriptSink sink = [&](const TranscriptEvent& event) { send(Event{job, event}); };
  const ReadSound read = [&](std::span<float> samples, std::size_t least) {
    return read_samples(pcm.get(), samples, least, stop);
  };
  auto result = transcribe_live(runner, tokenizer, read, options, sink, stop);
  if (!result) return result.error();
  done.language = std::move(result->language);
  done.duration_s = result->duration_s;
  return {};
}

}  // namespace engine
