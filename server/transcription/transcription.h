#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "protocol/transcribe_options.h"
#include "protocol/transcript.h"
#include "protocol/transcript_event.h"
#include "protocol/work_class.h"
#include "server/base/error.h"
#include "server/base/once_event.h"
#include "server/process/decoder_options.h"
#include "server/process/decoders.h"
#include "server/transcription/model_worker.h"

namespace server {

struct TranscriptionRequest {
  std::string job{};
  std::string request_id{};  // the client's request that it is for; empty: there is none
  std::string owner{};       // whose it is: owners share the device
  platform::UniqueFd input{};
  bool input_may_pause = false;  // a pipe, socket or terminal, rather than a file
  DecoderOptions decoder{};
  protocol::TranscribeOptions options{};
  protocol::WorkClass work_class = protocol::WorkClass::interactive;
  // For transcribe_channels(): the options of each of the two channels; empty: one mix.
  std::vector<protocol::TranscribeOptions> channels{};
  std::vector<std::string> channel_labels{};  // what its speakers are called by; none, or two
  // A file that also gets the sound, for as long as the transcription runs. `on_decoded` is called
  // when the decoder has come to the end of the input, with the seconds of sound that it had; it
  // may be called again.
  SoundCopy copy{};
  std::function<void(double seconds)> on_decoded = [](double) {};
  OnceEvent* enough = nullptr;  // when it happens the input counts as ended; nullptr: never
};

// Decodes and transcribes one input, and reports events to `sink`. `transcript` grows with every
// segment, so it also holds what was decided if this fails or is cancelled. The decoder does not
// outlive the call; `worker` must, and may transcribe others meanwhile.
asio::awaitable<Result<void>> transcribe(Decoders& decoders, ModelWorker& worker,
                                         TranscriptionRequest request,
                                         protocol::Transcript& transcript,
                                         protocol::TranscriptSink sink);

}  // namespace server
