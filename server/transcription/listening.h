#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "platform/unique_fd.h"
#include "protocol/live_options.h"
#include "protocol/transcribe_options.h"
#include "protocol/transcript_event.h"
#include "server/base/error.h"
#include "server/transcription/model_worker.h"

namespace server {

// Sound that goes on, whose caller writes it into a pipe.
struct LiveSound {
  std::string job{};
  std::string request_id{};  // the client's request that it is for; empty: there is none
  std::string owner{};       // whose it is: owners share the device
  protocol::TranscribeOptions options{};
  protocol::LiveOptions live{};
  platform::UniqueFd pcm{};  // the read end: float32, 16 kHz, mono
  // These two are as in JobListener (server/process/worker.h).
  std::function<bool()> must_move_on = [] { return false; };
  std::function<void(SendWish)> begun = [](const SendWish&) {};
};

// Transcribes live sound until its pipe ends, and reports events to `sink`. No decoder is between
// the caller and the worker, which must outlive the call, and may run other jobs meanwhile.
asio::awaitable<Result<void>> listen(ModelWorker& worker, LiveSound sound,
                                     protocol::TranscriptSink sink);

}  // namespace server
