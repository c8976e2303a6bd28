#include "server/transcription/listening.h"

#include <utility>

#include "protocol/work_class.h"
#include "protocol/worker_messages.h"

namespace server {

asio::awaitable<Result<void>> listen(ModelWorker& worker, LiveSound sound,
                                     protocol::TranscriptSink sink) {
  if (!worker.is_loaded()) sink(protocol::ModelLoading{});
  const auto ready = co_await worker.ready();
  if (!ready) co_return ready.error();
  const auto& loaded = *worker.loaded();
  sink(protocol::ModelLoaded{loaded.device, loaded.compute_type, loaded.notes, (*ready)->pid()});
  protocol::worker::Transcribe job{.job = sound.job,
                                   .options = std::move(sound.options),
                                   .work_class = name(protocol::WorkClass::live),
                                   .owner = std::move(sound.owner),
                                   .live = sound.live};
  if (!sound.request_id.empty()) job.request_id = sound.request_id;
  JobListener listener{.sink = std::move(sink),
                       .must_move_on = std::move(sound.must_move_on),
                       .begun = std::move(sound.begun)};
  auto running = (*ready)->transcribe(std::move(job), std::move(sound.pcm), std::move(listener));
  const auto done = co_await std::move(running);
  if (!done) co_return worker.explain(done.error());
  co_return Result<void>{};
}

}  // namespace server
